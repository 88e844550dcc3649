// @ts-check
// All weights of a panel, and heads and cells among them.

import { isMasked } from "../shared/matrix.js";

/** @import { Range } from "../shared/types.js" */
/** @import { ChoiceList, Head, Panel, PickedHead, Place } from "./types.js" */

/**
 * Gives each panel `levels`: all its bytes [layer, head, query, key], with 0 where a masked one sent nothing.
 * @param {Panel[]} panels
 * @param {Uint8Array} bytes
 */
export function unpackPanels(panels, bytes) {
  let offset = 0;
  for (const panel of panels) {
    const rows = panel.queries.length;
    const columns = panel.keys.length;
    panel.levels = new Uint8Array(panel.layers * panel.heads * rows * columns);
    for (let row = 0; row < panel.layers * panel.heads * rows; row++) {
      const sent = panel.reach ? panel.reach[row % rows] : columns;
      panel.levels.set(bytes.subarray(offset, offset + sent), row * columns);
      offset += sent;
    }
  }
  return panels.filter((panel) => panel.layers * panel.heads > 0);
}

/** @param {Panel} panel @param {number} layer @param {number} head */
export function headOf(panel, layer, head) {
  const size = panel.queries.length * panel.keys.length;
  return panel.levels.subarray((layer * panel.heads + head) * size, (layer * panel.heads + head + 1) * size);
}

/**
 * The mean of several heads, in levels; of one head its own.
 * @param {{ levels: Uint8Array }[]} heads
 * @returns {Uint8Array}
 */
export function average(heads) {
  if (heads.length === 1) return heads[0].levels;
  return heads[0].levels.map((_, cell) => {
    const squares = heads.reduce((sum, { levels }) => sum + levels[cell] ** 2, 0);
    return Math.round(Math.sqrt(squares / heads.length)); // a level is proportional to sqrt(weight)
  });
}

/** @param {Panel} panel @param {Uint8Array} weights @param {Range[]} ranges */
export function largestCell(panel, weights, [[firstRow, endRow], [first, end]]) {
  let best = { query: firstRow, key: first, level: -1 };
  for (let query = firstRow; query < endRow; query++) {
    for (let key = first; key < end; key++) {
      const level = weights[query * panel.keys.length + key];
      if (level > best.level && !isMasked(panel, query, key)) best = { query, key, level };
    }
  }
  return best;
}

/** @param {Panel} panel */
export const mostBits = (panel) => Math.log2(Math.max(panel.keys.length, 2));
/** @param {Head} head @returns {ChoiceList} */
export const choiceList = ({ panel, layer, head }) => [panel.kind, layer, head];
/** @param {Place} one @param {Place} other */
export const isSame = (one, other) => one.layer === other.layer && one.head === other.head; // of the same panel
/** @param {Place} place @returns {PickedHead[]} */
export const alone = ({ layer, head }) => [{ layer, head, slot: 0 }]; // a slot stands for a colour and a dash pattern

/** @param {{ panels: Panel[] }} ui @param {ChoiceList} choice @returns {Head | null} */
export function locate(ui, [kind, layer, head]) {
  const panel = kind === null ? ui.panels[0] : ui.panels.find((each) => each.kind === kind);
  return panel && layer < panel.layers && head < panel.heads ? { panel, layer, head } : null;
}

/**
 * The neighbour; beyond the edge of a panel, the near edge of the panel before or after it.
 * @param {{ panels: Panel[], cursor: Head }} ui
 * @param {number} layers
 * @param {number} heads
 * @returns {Head}
 */
export function step(ui, layers, heads) {
  const { panel, layer, head } = ui.cursor;
  const to = { panel, layer: layer + layers, head: head + heads };
  const forward = layers + heads > 0;
  const inside = to.layer >= 0 && to.layer < panel.layers && to.head >= 0 && to.head < panel.heads;
  if (inside) return to;
  const other = ui.panels[ui.panels.indexOf(panel) + (forward ? 1 : -1)];
  if (!other) return ui.cursor;
  const near = (count) => (forward ? 0 : count - 1);
  return {
    panel: other,
    layer: layers ? near(other.layers) : Math.min(layer, other.layers - 1),
    head: heads ? near(other.heads) : Math.min(head, other.heads - 1),
  };
}
