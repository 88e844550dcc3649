// @ts-check
// Draws the pair: the words, the maps, and the step that is chosen.

import { rampOf, readTheme } from "../shared/colours.js";
import { showMessage } from "../shared/dom.js";
import { fill } from "../shared/format.js";
import { reportDrawn } from "../shared/lifecycle.js";
import { place } from "../shared/matrix.js";
import { offerSaving } from "../shared/save.js";
import { WIDE } from "../shared/sizes.js";
import { boxOf, drawLegend, drawMaps } from "./maps.js";
import { setCursor } from "./reading.js";
import { pairFiles } from "./save.js";
import { drawPanel } from "./step.js";
import { LEVELS, rowOf } from "./unpack.js";

/** @import { Ui } from "./types.js" */

/** @param {Ui} ui */
export function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.maps) return undefined; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.sequential, LEVELS);
  ui.theme.diverging = rampOf(ui.diverging[ui.theme.scheme], LEVELS);
  const empty = !ui.keys.length || !ui.maps.some((map) => map.queries.length);
  showMessage(ui, empty ? ui.texts.nothing : "");
  if (empty) return reportDrawn(ui);
  ui.root.classList.toggle("wide", width >= WIDE);
  drawMaps(ui, width);
  setCursor(ui, null);
  drawLegend(ui);
  return drawStep(ui);
}

/**
 * What depends on the step alone.
 * @param {Ui} ui
 */
export function drawStep(ui) {
  ui.maps.forEach((map, at) => {
    const row = ui.followed[at] ? rowOf(ui, map) : -1;
    const { chosen } = ui.plates[at];
    chosen.hidden = row < 0;
    if (row < 0) return;
    const { left, top, width, height } = boxOf(ui.plates[at]);
    const pitch = height / map.queries.length;
    place(chosen, 0, top + row * pitch - 2, left + width + 2, pitch + 4);
  });
  ui.root.dataset.step = ui.play ? String(ui.step) : "";
  if (ui.play) drawPanel(ui);
  reportDrawn(ui);
}

/** @param {Ui} ui */
export function drawWords(ui) {
  const { texts, find, maps } = ui;
  const names = { left: maps[0].title, right: maps[1].title };
  const say = (selector, text) => {
    find(selector).hidden = !text;
    find(selector).textContent = text;
  };
  ui.plates.forEach((plate, at) => {
    plate.article.hidden = at >= maps.length;
    if (plate.article.hidden) return;
    const { title, note } = maps[at];
    plate.title.textContent = title;
    plate.note.textContent = note;
    plate.element.ariaLabel = `${title}. ${note} ${ui.followed[at] ? texts.aria_step : texts.aria}`;
    plate.canvas.style.cursor = ui.followed[at] ? "pointer" : "";
  });
  say(".rows", fill(texts.rows, { query_word: ui.queryWord }));
  say(".columns", fill(texts.columns, { key_word: ui.keyWord }));
  const hint = ui.common ? texts.hint : texts.hint_apart;
  say(".hint", ui.play ? `${hint} ${texts.hint_step}` : hint);
  say(".sequential .words", texts.legend);
  find(".diverging").hidden = !ui.difference;
  say(".diverging .words", fill(texts.legend_difference, names));
  say(".ends span", fill(texts.more, { name: names.left }));
  say(".ends span:last-child", fill(texts.more, { name: names.right }));
  const gold = maps.flatMap((map) => map.gold.map(([, , sure]) => sure));
  find(".sure").hidden = !gold.includes(true);
  find(".possible").hidden = !gold.includes(false);
  say(".sure span", texts.gold_sure);
  say(".possible span", texts.gold_possible);
  say(".agree", ui.agree ? texts.agree : "");
  find(".step").hidden = !ui.play;
  offerSaving(find(".save"), texts.save, pairFiles(ui));
}
