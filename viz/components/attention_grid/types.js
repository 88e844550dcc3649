// @ts-check
// What the modules of the grid hand to each other.

/**
 * @typedef {import("../shared/lifecycle.js").Mount} Mount
 * @typedef {import("../shared/types.js").Labelled} Labelled
 * @typedef {import("../shared/types.js").Palette} Palette
 * @typedef {import("../shared/types.js").Plate} Plate
 * @typedef {import("../shared/types.js").Theme} Theme
 * @typedef {"heatmap" | "lines" | "across"} View
 * @typedef {[kind: string | null, layer: number, head: number]} ChoiceList - as Python knows a head
 * @typedef {[label: string, note: number, entropy: number]} HeadNote
 * @typedef {{ layer: number, head: number }} Place
 * @typedef {Place & { panel: Panel }} Head
 * @typedef {Place & { slot: number }} PickedHead - a slot stands for a colour and a dash pattern
 * @typedef {Place & { name: string, levels: Uint8Array, colour: string, dash: number[], border: string }} DrawnHead
 * @typedef {{ query: number, key: number }} Cell
 * @typedef {{ side: number, index: number }} Focus - side 0 are the queries, 1 the keys
 * @typedef {Plate & { block: HTMLElement, outlines: HTMLElement }} Block
 * @typedef {{ clientX: number, clientY: number }} Spot - on the screen
 */

/**
 * One kind of attention.
 * @typedef {object} PanelParts
 * @property {string} kind
 * @property {string} title
 * @property {number} layers
 * @property {number} heads
 * @property {string} queryWord
 * @property {string} keyWord
 * @property {string} hidden
 * @property {(HeadNote | null)[][] | null} marks
 * @property {string[]} [notes]
 * @property {Uint8Array} levels - of all weights [layer, head, query, key]
 * @typedef {Labelled & PanelParts} Panel
 */

/**
 * @typedef {object} GridParts
 * @property {Panel[]} panels
 * @property {Head} choice - there is none as long as there is no panel
 * @property {Head} cursor
 * @property {PickedHead[]} picks
 * @property {View} view
 * @property {ChoiceList | []} reported - what Python last heard
 * @property {string} id
 * @property {ChoiceList} start
 * @property {number} levels - the level of weight 1
 * @property {Uint8Array} levelsShown - of the heat map
 * @property {Palette} palette
 * @property {Palette} colours
 * @property {number} tileFont
 * @property {Block[]} blocks
 * @property {Plate} large
 * @property {{ canvas: HTMLCanvasElement, context: CanvasRenderingContext2D }} single
 * @property {ReturnType<typeof import("./lines.js").linesLayout>} lines
 * @property {Focus | null} focus
 * @property {Cell | null} cell
 * @property {Theme} theme
 * @property {(name: string, value: unknown) => void} setStateValue
 * @typedef {Mount & GridParts} Ui
 */

export {};
