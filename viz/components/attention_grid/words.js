// @ts-check
// What the grid says in words.

import { fill, shown, weightDigits } from "../shared/format.js";
import { FAINTEST } from "./lines.js";
import { isSame, mostBits } from "./panels.js";

/** @import { Head, Panel, Place, Ui } from "./types.js" */

/** @param {Ui} ui @param {Head} head */
export const wording = (ui, { panel, layer, head }) =>
  fill(ui.texts.where, { title: panel.title, layer: layer + 1, head: head + 1 });

/** @param {Ui} ui @param {Place} place */
export const nameOf = (ui, { layer, head }) => fill(ui.texts.head, { layer: layer + 1, head: head + 1 });

/** @param {Ui} ui */
export function whereText(ui) {
  if (ui.picks.length === 1) return wording(ui, ui.choice);
  const text = ui.view === "heatmap" ? ui.texts.average : ui.texts.several;
  return fill(text, { title: ui.choice.panel.title, count: ui.picks.length });
}

/**
 * Whether a head is drawn, in words.
 * @param {Ui} ui
 * @param {Head} head
 */
export function stateOf(ui, head) {
  const on = head.panel === ui.choice.panel && ui.picks.some((pick) => isSame(pick, head));
  return fill(on ? ui.texts.on : ui.texts.off, { where: wording(ui, head) });
}

/** @param {Ui} ui @param {number} level */
export const weightText = (ui, level) => fill(ui.texts.approx, { weight: weightDigits(level, ui.levels) });

/**
 * What stands on the two sides of the large picture.
 * @param {Ui} ui
 */
export function axisWords({ choice: { panel }, texts, view }) {
  const [query, key] = { lines: [texts.left, texts.right], across: [texts.above, texts.below] }[view] ?? [
    texts.rows,
    texts.columns,
  ];
  return [fill(query, { query_word: panel.queryWord }), fill(key, { key_word: panel.keyWord })];
}

/**
 * What colour or opacity say and, where there is a mask, what it does.
 * @param {Ui} ui
 */
export function legendWords({ choice: { panel }, texts, view }) {
  const lines = fill(texts.lines_legend, { faintest: FAINTEST });
  const [words, masked] = view === "heatmap" ? [texts.legend, panel.hidden] : [lines, texts.lines_masked];
  return panel.reach ? [words, masked] : [words];
}

/**
 * "source piece looked at: chat (3 of 12)"
 * @param {Ui} ui
 * @param {Panel} panel
 * @param {number} side
 * @param {number} index
 */
export function pieceLine(ui, panel, side, index) {
  const [word, labels] = side ? [panel.keyWord, panel.keys] : [panel.queryWord, panel.queries];
  const piece = shown(labels[index]);
  const clipped = piece.length > 120 ? `${Array.from(piece).slice(0, 119).join("")}…` : piece;
  return line(word, clipped, fill(ui.texts.position, { position: index + 1, total: labels.length }));
}

/** @param {string} name @param {string} value @param {string} [note] */
export function line(name, value, note = "") {
  const row = document.createElement("div");
  const strong = document.createElement("bdi"); // isolates right-to-left pieces from the words around them
  strong.textContent = value;
  const small = Object.assign(document.createElement("small"), { textContent: note && ` ${note}` });
  row.append(name && `${name}: `, strong, small);
  return row;
}

/**
 * The line below the tiles: which head is pointed at, and what is known of it.
 * @param {Ui} ui
 * @param {Head} head
 */
export function tellAbout(ui, { panel, layer, head }) {
  const where = wording(ui, { panel, layer, head });
  const [label, note, entropy] = panel.marks?.[layer][head] ?? [];
  const bits = { entropy: entropy?.toFixed(2), most: mostBits(panel).toFixed(2) };
  const known = { where: label ? `${where} (${label})` : where, note: panel.notes?.[note], ...bits };
  ui.find(".about").textContent = entropy === undefined ? where : fill(ui.texts.about, known);
}
