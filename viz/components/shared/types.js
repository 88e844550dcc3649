// @ts-check
// What modules of several components hand to each other. Lengths are CSS pixels, those called `...Px` device pixels.

/**
 * @typedef {"light" | "dark"} Scheme
 * @typedef {Record<Scheme, string[]>} Palette - colours of a ramp from its low end to its high end
 * @typedef {[number, number, number]} Rgb - from 0 to 255
 * @typedef {[text: string, share: number][]} Ticks - marks along a scale, by the share of its length
 * @typedef {{ context: Pick<CanvasRenderingContext2D, "measureText" | "font">, font: string }} Pen - measures text
 * @typedef {[first: number, end: number]} Range
 */

/**
 * What the page's theme says, and the ramps that stand for numbers: 32 bits a colour, as ImageData holds it.
 * @typedef {object} Theme
 * @property {Scheme} scheme
 * @property {Uint32Array} ramp
 * @property {Uint32Array} [diverging] - for numbers of two signs
 * @property {number} [ground] - the level that most cells have
 * @property {string} text
 * @property {string} background
 * @property {string} font
 * @property {string} border
 * @property {string} primary
 * @property {number} hatchGround
 * @property {number} hatchLine
 */

/**
 * Rows and columns of a matrix.
 * @typedef {object} Labelled
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {number[] | null} [reach] - how many keys each query may see, where there is a mask
 */

/**
 * Where the cells and labels of a matrix are.
 * @typedef {object} Layout
 * @property {number} cellPx
 * @property {number} pitch
 * @property {number} rowFont
 * @property {number} columnFont
 * @property {number} angle - of the column labels
 * @property {number} limit - of a label
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {number} widthPx
 * @property {number} heightPx
 * @property {number} [gap] - between a row and its label
 */

/**
 * A canvas with marks laid over it, so that moving a mark repaints nothing. What is below `chosen` is known once it is
 * drawn, in device pixels: an overview is tiles of one size, `pitchX` and `pitchY` apart.
 * @typedef {object} Plate
 * @property {HTMLElement} element
 * @property {HTMLCanvasElement} canvas
 * @property {CanvasRenderingContext2D} context
 * @property {HTMLElement} row
 * @property {HTMLElement} column
 * @property {HTMLElement} chosen
 * @property {any} panel
 * @property {{ width: number, height: number }} tile
 * @property {number} left
 * @property {number} top
 * @property {number} layers
 * @property {number} heads
 * @property {number} pitchX
 * @property {number} pitchY
 */

/**
 * A picture in the making, for a file: what is written goes below what is there, at `y`.
 * @typedef {object} Paper
 * @property {any} context - draws as a canvas does
 * @property {number} y
 * @property {(words: string, font?: number) => number} width
 * @property {(words: string, x: number, y: number, font?: number, align?: CanvasTextAlign) => void} text
 * @property {(words: string, width: number, font?: number, x?: number) => void} paragraph
 * @property {(ramp: Uint32Array, ticks: Ticks, x?: number, wide?: number) => void} scale
 * @property {(title: string, width: number) => string} document
 */

/**
 * What can be saved: the file's name without ending, and its contents.
 * @typedef {{ name: () => string, svg: () => string, csv: () => string }} Files
 */

export {};
