// @ts-check
// Which heads are drawn large: adopted from a message, remembered, and reported to Python.

import { BORDERS, DASHES } from "./lines.js";
import { alone, choiceList, headOf, isSame, locate } from "./panels.js";
import { nameOf } from "./words.js";

/** @import { DrawnHead, Ui } from "./types.js" */

const REPORT_AFTER = 350; // ms without a new choice until Python hears of it

// Streamlit may mount the component anew with an old message, when it moves on the page: what the person has chosen
// must survive that. Each mount has a new `key` and may have its own copy of this module: hence the header's id.
const remembered = (globalThis.regardAttentionGrid ??= new Map());

/**
 * What the person has chosen, else what Python says, else the first head; Python hears of what it does not know.
 * @param {Ui} ui
 * @param {any} header
 */
export function adoptChoice(ui, header) {
  const before = remembered.get(header.id);
  const ours = String(before?.start) === String(header.choice) ? before : null; // else a link has led to another head
  Object.assign(ui, { id: header.id, start: header.choice });
  ui.view = before?.view ?? "heatmap";
  ui.reported ??= ours ? [] : header.choice; // mounted anew, we do not know what Python last heard
  ui.choice = (ours && locate(ui, ours.choice)) || locate(ui, header.choice) || locate(ui, [null, 0, 0]);
  if (!ui.choice) return;
  ui.cursor = (ui.cursor && locate(ui, choiceList(ui.cursor))) || ui.choice;
  const same = ours?.choice[0] === ui.choice.panel.kind ? ours.picks : [];
  const left = same.filter(({ layer, head }) => locate(ui, [ours.choice[0], layer, head]));
  ui.picks = left.some((pick) => isSame(pick, ui.choice)) ? left : alone(ui.choice);
  reportLater(ui);
}

/** @param {Ui} ui */
export const mostPicks = (ui) => ui.colours.light.length * DASHES.length;

/**
 * What is drawn large, in the order in which it was picked.
 * @param {Ui} ui
 * @returns {DrawnHead[]}
 */
export function headsOn(ui) {
  const { panel } = ui.choice;
  const colours = ui.colours[ui.theme.scheme];
  return ui.picks.map(({ layer, head, slot }) => ({
    layer,
    head,
    name: nameOf(ui, { layer, head }),
    levels: headOf(panel, layer, head),
    colour: colours[slot % colours.length],
    dash: DASHES[Math.floor(slot / colours.length)],
    border: BORDERS[Math.floor(slot / colours.length)],
  }));
}

/** @param {Ui} ui */
export const remember = ({ id, start, choice, picks, view }) =>
  remembered.set(id, { start, choice: choiceList(choice), picks, view });

/**
 * Tells Python once the person has stopped stepping, and only what it does not know.
 * @param {Ui} ui
 */
export function reportLater(ui) {
  remember(ui);
  clearTimeout(ui.timer);
  const choice = choiceList(ui.choice);
  if (String(choice) === String(ui.reported)) return;
  ui.timer = setTimeout(() => ui.setStateValue("choice", (ui.reported = choice)), REPORT_AFTER);
}
