// @ts-check
// Choosing heads and a view, by pointer and keys.

import { fill } from "../shared/format.js";
import { hit } from "../shared/matrix.js";
import { drawChoice } from "./draw.js";
import { drawCursor } from "./overview.js";
import { alone, choiceList, isSame, step } from "./panels.js";
import { mostPicks, remember, reportLater } from "./picks.js";
import { stateOf, whereText, wording } from "./words.js";

/** @import { Block, Head, PickedHead, Ui, View } from "./types.js" */

/** @param {Ui} ui @param {Block} plate @param {PointerEvent} event */
export function onClick(ui, plate, event) {
  const found = hit(plate, event);
  if (!found) return;
  ui.find(".blocks").focus({ preventScroll: true });
  const head = { panel: plate.panel, layer: found.layer, head: found.head };
  if (event.ctrlKey || event.metaKey || event.shiftKey) toggle(ui, head);
  else choose(ui, head);
}

/** @param {Ui} ui @param {KeyboardEvent} event */
export function onKey(ui, event) {
  if (!ui.choice || event.ctrlKey || event.metaKey || event.altKey) return;
  const { panel, layer } = ui.cursor;
  const next = {
    ArrowLeft: () => step(ui, 0, -1),
    ArrowRight: () => step(ui, 0, 1),
    ArrowUp: () => step(ui, -1, 0),
    ArrowDown: () => step(ui, 1, 0),
    Home: () => ({ panel, layer, head: 0 }),
    End: () => ({ panel, layer, head: panel.heads - 1 }),
    " ": () => ui.cursor,
  }[event.key];
  if (!next) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  if (event.key === " ") toggle(ui, ui.cursor);
  else if (event.shiftKey) moveCursor(ui, next());
  else choose(ui, next());
}

/** @param {Ui} ui @param {Head} cursor */
function moveCursor(ui, cursor) {
  ui.cursor = cursor;
  drawCursor(ui);
  ui.find(".live").textContent = stateOf(ui, cursor);
}

/**
 * One head alone.
 * @param {Ui} ui
 * @param {Head} head
 */
export function choose(ui, head) {
  if (ui.picks.length === 1 && String(choiceList(head)) === String(choiceList(ui.choice))) return;
  select(ui, head, alone(head));
}

/**
 * Adds a head to the picks, or takes it off; the last one stays, and a head of another panel comes alone.
 * @param {Ui} ui
 * @param {Head} head
 */
export function toggle(ui, head) {
  if (head.panel !== ui.choice.panel) return choose(ui, head);
  const rest = ui.picks.filter((pick) => !isSame(pick, head));
  if (rest.length < ui.picks.length) {
    const left = isSame(head, ui.choice) ? rest.at(-1) : ui.choice;
    return rest.length ? select(ui, { ...left, panel: head.panel }, rest, head) : undefined;
  }
  if (rest.length === mostPicks(ui)) return tell(ui, fill(ui.texts.too_many, { most: rest.length }));
  let slot = 0;
  while (rest.some((pick) => pick.slot === slot)) slot += 1;
  return select(ui, head, [...rest, { layer: head.layer, head: head.head, slot }]);
}

/** @param {Ui} ui */
export function pickLayer(ui) {
  const { panel, layer, head } = ui.choice;
  const count = Math.min(panel.heads, mostPicks(ui));
  const picks = Array.from({ length: count }, (_, each) => ({ layer, head: each, slot: each }));
  select(ui, head < count ? ui.choice : { panel, layer, head: 0 }, picks);
}

/** @param {Ui} ui @param {Head} choice @param {PickedHead[]} picks @param {Head} [cursor] */
function select(ui, choice, picks, cursor = choice) {
  Object.assign(ui, { choice, picks, cursor });
  drawChoice(ui);
  ui.find(".live").textContent = picks.length > 1 ? `${stateOf(ui, cursor)} ${whereText(ui)}` : wording(ui, choice);
  reportLater(ui);
}

/** @param {Ui} ui @param {View} view */
export function show(ui, view) {
  ui.view = view;
  drawChoice(ui);
  remember(ui);
}

/** @param {Ui} ui @param {string} text */
function tell(ui, text) {
  ui.find(".word").textContent = ui.find(".live").textContent = text;
}
