// @ts-check
// What pointer and keys read off the maps.

import { make } from "../shared/dom.js";
import { shown, signed, within } from "../shared/format.js";
import { band, place } from "../shared/matrix.js";
import { boxOf } from "./maps.js";
import { rowOf } from "./unpack.js";

/** @import { Cursor, Ui } from "./types.js" */

/**
 * Marks the cell in every map that has it, and reads it out; null points at nothing.
 * @param {Ui} ui
 * @param {Cursor | null} cursor
 */
export function setCursor(ui, cursor) {
  if (!ui.maps) return;
  ui.cursor = cursor;
  ui.maps.forEach((map, at) => {
    const plate = ui.plates[at];
    plate.row.hidden = !cursor || !(ui.common || at === cursor.at);
    plate.column.hidden = !cursor;
    if (!cursor) return;
    const { left, top, width, height } = boxOf(plate);
    const cell = width / ui.keys.length;
    const [rowTop, rowHeight] = band(top + cursor.query * cell, cell);
    const [columnLeft, columnWidth] = band(left + cursor.key * cell, cell);
    if (!plate.row.hidden) place(plate.row, 0, rowTop, left + width, rowHeight);
    place(plate.column, columnLeft, 0, columnWidth, top + height);
  });
  ui.find(".reading").replaceChildren(...readings(ui, cursor).map(readingPart));
}

/**
 * [name, value] of everything that is known of a cell. The parts are always there, so that nothing moves.
 * @param {Ui} ui
 * @param {Cursor | null} cursor
 */
function readings(ui, cursor) {
  const { maps, keys, texts } = ui;
  const weight = (at) => maps[at].weights[cursor.query * keys.length + cursor.key];
  const known = (at) => cursor && (ui.common || at === cursor.at);
  const parts = [
    [ui.queryWord, cursor ? shown(maps[cursor.at].queries[cursor.query]) : "–"],
    [ui.keyWord, cursor ? shown(keys[cursor.key]) : "–"],
    [maps[0].title, known(0) ? weight(0).toFixed(4) : "–"],
    [maps[1].title, known(1) ? weight(1).toFixed(4) : "–"],
  ];
  return ui.common ? [...parts, [texts.minus, cursor ? signed(weight(1) - weight(0), 4, "+") : "–"]] : parts;
}

/** @param {string[]} part */
function readingPart([name, value]) {
  const words = make("span", { textContent: `${name}: ` });
  return make("span", { title: `${name}: ${value}` }, words, make("bdi", { textContent: value }));
}

/**
 * Up and down choose a row (without steps they only point), left and right point along it.
 * @param {Ui} ui
 * @param {number} at
 * @param {KeyboardEvent} event
 */
export function onKey(ui, at, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { queries, keys } = ui.maps[at];
  const row = ui.followed[at] ? rowOf(ui, ui.maps[at]) : 0;
  const from = ui.cursor?.at === at ? ui.cursor : { query: Math.max(row, 0), key: 0 };
  const limited = (index, count) => within(index, 0, count - 1);
  const to = {
    ArrowUp: { ...from, query: from.query - 1 },
    ArrowDown: { ...from, query: from.query + 1 },
    ArrowLeft: { ...from, key: from.key - 1 },
    ArrowRight: { ...from, key: from.key + 1 },
    Home: { ...from, query: 0 },
    End: { ...from, query: queries.length - 1 },
    Enter: from,
  }[event.key];
  if (!to || !queries.length) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  setCursor(ui, { at, query: limited(to.query, queries.length), key: limited(to.key, keys.length) });
  const along = event.key === "ArrowLeft" || event.key === "ArrowRight";
  const chosen = along ? "" : chooseRow(ui, at, ui.cursor.query);
  const reading = [...ui.find(".reading").children].map((part) => part.textContent).join(", ");
  ui.find(".live").textContent = `${reading}. ${chosen}`;
}

/**
 * Chooses the step of a row, if it has one. Returns the sentences that say so.
 * @param {Ui} ui
 * @param {number} at
 * @param {number} row
 */
export function chooseRow(ui, at, row) {
  const agreement = !ui.agree || row < 0 ? "" : ui.agree[row] ? ui.texts.agree_yes : ui.texts.agree_no;
  if (row < 0 || !ui.followed[at]) return agreement;
  ui.stepper.choose(ui.maps[at].steps[row]);
  return `${agreement} ${ui.stepper.text()}. ${ui.find(".moves").textContent}`;
}
