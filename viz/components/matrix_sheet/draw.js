// @ts-check
// Draws all matrices of a mount, and what is chosen and pointed at in the sheet.

import { rampOf, readTheme } from "../shared/colours.js";
import { fill } from "../shared/format.js";
import { paintStrip } from "../shared/legend.js";
import { markDrawn } from "../shared/lifecycle.js";
import { band, place } from "../shared/matrix.js";
import { layOut } from "./layout.js";
import { LEVELS, scaleEnds } from "./levels.js";
import { paint } from "./paint.js";

/** @import { Figure, Ui } from "./types.js" */

/** @param {Ui} ui */
export function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.figures.length) return; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.sequential, LEVELS);
  ui.theme.diverging = rampOf(ui.diverging[ui.theme.scheme], LEVELS);
  for (const figure of ui.figures) {
    const large = figure === ui.large;
    figure.element.classList.toggle("large", large);
    figure.button.textContent = large ? "×" : "⤢";
    figure.button.title = figure.button.ariaLabel = fill(large ? ui.texts.close : ui.texts.enlarge, {
      title: figure.matrix.title,
    });
    layOut(ui, figure, width - (figure.matrix.sign ? 28 : 0), large);
    paint(ui, figure);
    drawScale(ui, figure);
  }
  showMarks(ui);
  markDrawn(ui);
}

/** @param {Ui} ui @param {Figure} figure */
function drawScale(ui, figure) {
  const ramp = figure.matrix.signed ? ui.theme.diverging : ui.theme.ramp;
  paintStrip(figure.ramp, LEVELS + 1, 1, (x) => ramp[x]);
  scaleEnds(figure.matrix).forEach((end, at) => (figure.ends[at].textContent = end));
}

/**
 * Puts frames and lines where the sheet's chosen and pointed rows and columns are.
 * @param {Ui} ui
 */
export function showMarks(ui) {
  for (const figure of ui.figures) {
    if (!figure.pitchX) continue; // it has not been laid out yet
    const { pitchX, pitchY, plate, matrix } = figure;
    for (const { along, name, state, element } of figure.places) {
      const at = ui.shared[state][name];
      const row = along === "row";
      element.hidden = at === undefined || at >= (row ? matrix.rows : matrix.columns).count;
      if (element.hidden) continue;
      const [start, size] = row ? [at * pitchY - plate.scrollTop, pitchY] : [at * pitchX - plate.scrollLeft, pitchX];
      const [from, length] = band(start, size);
      if (row) place(element, 0, from, figure.viewWidth, length);
      else place(element, from, 0, length, figure.viewHeight);
    }
  }
}
