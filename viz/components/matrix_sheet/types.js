// @ts-check
// What the modules of the sheet hand to each other.

/**
 * @typedef {import("../shared/lifecycle.js").Mount} Mount
 * @typedef {import("../shared/types.js").Palette} Palette
 * @typedef {import("../shared/types.js").Pen} Pen
 * @typedef {import("../shared/types.js").Paper} Paper
 * @typedef {import("../shared/types.js").Range} Range
 * @typedef {import("../shared/types.js").Theme} Theme
 * @typedef {{ names: string[], word: string, count: number, labels: string[] | null }} Axis
 * @typedef {{ row: number, column: number }} Cell
 * @typedef {{ along: "row" | "column", name: string, state: "chosen" | "pointed", element: HTMLElement }} Place
 * @typedef {{ chosen: Record<string, number>, pointed: Record<string, number>, uis: Set<Ui> }} Sheet
 */

/**
 * @typedef {object} Matrix
 * @property {string} title
 * @property {Axis} rows
 * @property {Axis} columns
 * @property {number} limit
 * @property {boolean} signed
 * @property {string} sign
 * @property {string} note
 * @property {[first: number, end: number, whole: number] | null} part
 * @property {boolean} wide
 * @property {boolean} breaks
 * @property {Float32Array} values
 * @property {Uint8Array} levels
 */

/**
 * The elements of a matrix, and where its cells and labels are: `placeFigure` of layout.js says what the lengths mean.
 * @typedef {any} Figure
 */

/**
 * @typedef {object} SheetParts
 * @property {HTMLElement} save
 * @property {Figure[]} figures
 * @property {Figure | null} large - the enlarged one
 * @property {Matrix[]} matrices
 * @property {string} id
 * @property {string} sheet
 * @property {Record<string, number> | null} chosen
 * @property {Sheet} shared - by all mounts of the sheet
 * @property {Palette} sequential
 * @property {Palette} diverging
 * @property {Theme & { diverging: Uint32Array }} theme
 * @typedef {Mount & SheetParts} Ui
 */

export {};
