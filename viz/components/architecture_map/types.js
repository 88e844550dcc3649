// @ts-check
// What the modules of the map hand to each other.

/**
 * @typedef {import("../shared/lifecycle.js").Mount} Mount
 * @typedef {import("../shared/types.js").Palette} Palette
 * @typedef {[x: number, y: number]} Point
 * @typedef {"encoder" | "decoder"} Stack
 */

/**
 * A block: what Python says of it, and from `height` on where it stands.
 * @typedef {object} Box
 * @property {string} name
 * @property {Stack} stack
 * @property {string} label
 * @property {string} detail
 * @property {string} title
 * @property {string} says
 * @property {number | null} colour
 * @property {boolean} inside - the layer that is there several times
 * @property {boolean} beside - the line, at a plus sign
 * @property {string | null} skips - the block that its residual connection goes around
 * @property {string[]} below - letters at the arrows from below
 * @property {string[]} across - letters at the arrows from the other stack
 * @property {number} height
 * @property {number} x - of the middle
 * @property {number} y - of the middle
 * @property {number} top
 * @property {number} bottom
 * @property {number} fork - where arrows to it part
 * @property {number} branch - where a residual connection leaves the line
 * @property {number} from - the top of what lies below
 * @property {number} out - -1 for the encoder, 1 for the decoder
 * @property {{ label: SVGTextElement, detail: SVGTextElement, room: number }} words
 */

/**
 * @typedef {object} MapParts
 * @property {SVGSVGElement} svg
 * @property {string | null} block - the chosen one
 * @property {Box[]} boxes
 * @property {Record<Stack, [name: string, times: string]>} stacks
 * @property {Palette} colours
 * @property {(name: string, value: unknown) => void} setStateValue
 * @typedef {Mount & MapParts} Ui
 */

export {};
