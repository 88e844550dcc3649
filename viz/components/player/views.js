// @ts-check
// Both kinds of attention, and how much of them is seen at a step.

/** @import { Ui, View } from "./types.js" */

export const AVERAGE = -1; // instead of a head
export const MOST = { cell: 32, height: 440 }; // of a view
export const CHOICE = 300; // width of the list of next pieces where all stands side by side
export const BETWEEN = 32; // pixels between panels
export const NARROWEST = 280; // of a view with its words
export const PALE = 0.62; // how much of the background lies over earlier steps

/**
 * Both kinds of attention with all their levels [layer, head, step, key]; beyond the diagonal nothing was sent.
 * @param {any} header
 * @param {Uint8Array} bytes
 * @returns {View[]}
 */
export function unpackViews({ layers, heads, predicted, read, source }, bytes) {
  const steps = predicted.length;
  const back = new Uint8Array(layers * heads * steps * steps);
  let offset = 0;
  for (let row = 0; row < layers * heads * steps; row++) {
    const seen = (row % steps) + 1;
    back.set(bytes.subarray(offset, offset + seen), row * steps);
    offset += seen;
  }
  return [
    { keys: read, levels: back, grows: true, averages: [] },
    { keys: source, levels: bytes.subarray(offset), grows: false, averages: [] },
  ];
}

/**
 * The chosen head [step, key], or the average of its layer, on the same square-root scale.
 * @param {Pick<Ui, "layer" | "head" | "heads" | "predicted">} ui
 * @param {View} view
 */
export function levelsOf({ layer, head, heads, predicted }, { keys, levels, averages }) {
  const size = predicted.length * keys.length;
  const of = (number) => levels.subarray((layer * heads + number) * size, (layer * heads + number + 1) * size);
  if (head !== AVERAGE) return of(head);
  if (!averages[layer]) {
    const all = Array.from({ length: heads }, (_, number) => of(number));
    const mean = (cell) => all.reduce((sum, each) => sum + each[cell] ** 2, 0) / heads;
    averages[layer] = Uint8Array.from({ length: size }, (_, cell) => Math.round(Math.sqrt(mean(cell))));
  }
  return averages[layer];
}

/**
 * The rows up to this step: a triangle of the pieces read so far, or all of the source.
 * @param {Ui} ui
 * @param {number} at
 */
export function shownView(ui, at) {
  const { keys, grows } = ui.views[at];
  const levels = ui.shownLevels[at];
  const rows = ui.step + 1;
  const columns = grows ? rows : keys.length;
  const seen = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    seen.set(levels.subarray(row * keys.length, row * keys.length + columns), row * columns);
  }
  const reach = grows ? Array.from({ length: rows }, (_, row) => row + 1) : null;
  return { panel: { queries: ui.predicted.slice(0, rows), keys: keys.slice(0, columns), reach }, seen, grows };
}
