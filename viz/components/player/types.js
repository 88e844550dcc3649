// @ts-check
// What the modules of the player hand to each other.

/**
 * @typedef {import("../shared/lifecycle.js").Mount} Mount
 * @typedef {import("../shared/types.js").Layout} Layout
 * @typedef {import("../shared/types.js").Palette} Palette
 * @typedef {import("../shared/types.js").Plate} Plate
 * @typedef {import("../shared/types.js").Range} Range
 * @typedef {import("../shared/types.js").Theme} Theme
 * @typedef {[label: string, id: number | null, probability: number, taken: boolean]} Option
 * @typedef {"alive" | "finished" | "dropped"} Fate
 * @typedef {[parent: number, label: string, logProb: number, total: number, fate: Fate]} Branch
 * @typedef {{ keys: string[], levels: Uint8Array, grows: boolean, averages: Uint8Array[] }} View - a kind of attention
 */

/**
 * A branch of the tree where it is drawn.
 * @typedef {object} PlacedBranch
 * @property {number} parent
 * @property {string} label
 * @property {number} logProb
 * @property {number} total
 * @property {Fate} fate
 * @property {number} step
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {string} text
 */

/**
 * @typedef {object} PlayerParts
 * @property {string[]} source
 * @property {string[]} read
 * @property {string[]} predicted
 * @property {number} layers
 * @property {number} heads
 * @property {number} layer
 * @property {number} head - AVERAGE stands for all of the layer
 * @property {number} step
 * @property {number | null} start
 * @property {Option[][]} options
 * @property {number[]} forced
 * @property {number[]} changed
 * @property {{ beam: number, best: number[], branches: Branch[] }} tree - or null
 * @property {number} levels - the level of weight 1
 * @property {Palette} palette
 * @property {Record<string, string>} accent
 * @property {string} id
 * @property {string} said - what happens at the step
 * @property {View[]} views
 * @property {Uint8Array[]} shownLevels
 * @property {Plate[]} plates
 * @property {Layout[]} layouts
 * @property {HTMLElement[]} sourceChips
 * @property {HTMLElement[]} targetChips
 * @property {PlacedBranch[]} placed
 * @property {{ x: number, width: number }[]} columns
 * @property {SVGElement[]} bands
 * @property {SVGElement[]} nodes
 * @property {(SVGElement | null)[]} edges
 * @property {Theme} theme
 * @property {ReturnType<typeof import("../shared/stepper.js").createStepper>} stepper
 * @property {(name: string, value: unknown) => void} [setTriggerValue]
 * @typedef {Mount & PlayerParts} Ui
 */

export {};
