// @ts-check
// The numbers of a message, as maps with their difference, and as steps.

import { fill } from "../shared/format.js";

/** @import { AlignmentMap } from "./types.js" */

export const LEVELS = 254; // steps of a ramp; even, so that a difference of 0 has the middle colour

/**
 * The maps with their weights and levels, the difference as a third one, and the numbers of the steps.
 * @param {any} header
 * @param {ArrayBufferLike} buffer
 */
export function unpack({ maps, keys, difference, play, texts }, buffer) {
  let offset = 0;
  const floats = (count) => new Float32Array(buffer, (offset += 4 * count) - 4 * count, count);
  const root = (weight) => Math.sign(weight) * Math.sqrt(Math.min(Math.abs(weight), 1));
  const found = maps.map((map) => {
    const weights = floats(map.queries.length * keys.length);
    const levels = Uint8Array.from(weights, (weight) => Math.round(LEVELS * root(weight)));
    return { ...map, keys, weights, levels };
  });
  const [left, right] = found;
  if (difference) {
    const weights = right.weights.map((weight, cell) => weight - left.weights[cell]);
    const levels = Uint8Array.from(weights, (weight) => Math.round((LEVELS / 2) * (1 + root(weight))));
    const note = fill(texts.difference_note, { left: left.title, right: right.title });
    found.push({ ...left, title: texts.difference, note, weights, levels });
  }
  if (!play) return { maps: found, play };
  const steps = play.predicted.length;
  const cells = steps * play.source.length;
  /** @type {Float32Array[]} */
  const [scores, weights] = play.attention ? [floats(cells), floats(cells)] : [];
  const contexts = floats(steps * play.width);
  const states = new Int8Array(buffer, offset);
  const largestScore = (scores ?? new Float32Array()).reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  const mostOptions = Math.max(...play.options.flatMap((side) => side ?? []).map((options) => options.length));
  return { maps: found, play: { ...play, scores, weights, contexts, states, largestScore, mostOptions } };
}

/**
 * The row that shows the step: its own, or that of the word that it goes on with; -1 if there is none.
 * @param {{ step: number, play: { predicted: string[] } }} ui
 * @param {{ steps: number[] }} map
 */
export function rowOf(ui, { steps }) {
  const after = steps.findIndex((first) => first > ui.step);
  if (after >= 0) return after - 1;
  // The last step of all ends the sentence: where </s> is hidden, it has no row.
  return steps.at(-1) === ui.step || ui.step < ui.play.predicted.length - 1 ? steps.length - 1 : -1;
}

/**
 * What all maps have together: every label, and as many rows as the longest has.
 * @param {{ maps: AlignmentMap[], keys: string[] }} ui
 */
export const allRows = ({ maps, keys }) => ({
  queries: maps.flatMap((map) => map.queries),
  keys,
  rows: Math.max(...maps.map((map) => map.queries.length)),
});
