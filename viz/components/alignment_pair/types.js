// @ts-check
// What the modules of the pair hand to each other.

/**
 * @typedef {import("../shared/lifecycle.js").Mount} Mount
 * @typedef {import("../shared/types.js").Palette} Palette
 * @typedef {import("../shared/types.js").Plate} Plate
 * @typedef {import("../shared/types.js").Theme} Theme
 * @typedef {[row: number, column: number, sure: boolean]} Gold
 * @typedef {[label: string, probability: number, taken: boolean]} NextPiece
 * @typedef {{ at: number, query: number, key: number }} Cursor - a cell of the map `at`
 * @typedef {Plate & { article: HTMLElement, title: HTMLElement, note: HTMLElement }} MapPlate
 */

/**
 * One alignment map.
 * @typedef {object} AlignmentMap
 * @property {string} title
 * @property {string} note
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {number[]} steps - the one that each row shows
 * @property {Gold[]} gold
 * @property {Float32Array} weights
 * @property {Uint8Array} levels
 */

/**
 * How the recurrent model came from step to step: T steps, S source pieces, D width.
 * @typedef {object} RnnSteps
 * @property {string} name
 * @property {string[]} source
 * @property {string[]} read
 * @property {string[]} predicted
 * @property {boolean} attention
 * @property {number} width
 * @property {number} largest
 * @property {number} levels
 * @property {[NextPiece[][], NextPiece[][] | null]} options
 * @property {Float32Array} [scores] - [T, S]
 * @property {Float32Array} [weights] - [T, S]
 * @property {Float32Array} contexts - [T, D]
 * @property {Int8Array} states - [S, D]
 * @property {number} largestScore
 * @property {number} mostOptions
 */

/**
 * @typedef {object} PairParts
 * @property {AlignmentMap[]} maps - left, right, and their difference if it is wanted
 * @property {string[]} keys
 * @property {MapPlate[]} plates
 * @property {boolean} common - both maps have the same rows
 * @property {boolean} difference
 * @property {boolean[] | null} agree
 * @property {string} queryWord
 * @property {string} keyWord
 * @property {any} play - RnnSteps, or null
 * @property {number} step
 * @property {boolean[]} followed - whose rows are steps
 * @property {Cursor | null} cursor
 * @property {string} id
 * @property {any[]} rows - of the table
 * @property {HTMLCanvasElement} sum
 * @property {Palette} sequential
 * @property {Palette} diverging
 * @property {Record<string, string>} outline
 * @property {Theme & { diverging: Uint32Array }} theme
 * @property {ReturnType<typeof import("../shared/stepper.js").createStepper>} stepper
 * @typedef {Mount & PairParts} Ui
 */

export {};
