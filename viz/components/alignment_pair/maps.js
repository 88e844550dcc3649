// @ts-check
// The maps side by side: laid out, drawn, and marked with gold links and with agreement.

import { drawTicks, paintStrip, weightTicks } from "../shared/legend.js";
import { cellsUnder, drawMatrix, every, matrixLayout } from "../shared/matrix.js";
import { WIDE } from "../shared/sizes.js";
import { allRows, LEVELS } from "./unpack.js";

/** @import { Ticks } from "../shared/types.js" */
/** @import { Gold, Plate, Theme, Ui } from "./types.js" */

export const BETWEEN = 28; // pixels between maps side by side
export const MOST = { cell: 44, height: 560 }; // of a map
export const NARROWEST = 240; // of a map's title and note
const COMFORT = 16; // the difference stands beside the maps while cells stay as large as this
export const MARKS = 18; // room for the signs of agreement, between labels and cells
/** @type {Ticks} */
export const DIFFERENCES = [
  ["−1", 0],
  ["−0.25", 0.25],
  ["0", 0.5],
  ["+0.25", 0.75],
  ["+1", 1],
]; // on the square-root scale

/**
 * Equal cells in all maps, so that equal lengths look equal; as many maps side by side as there is room for.
 * @param {Ui} ui
 * @param {number} width
 */
export function drawMaps(ui, width) {
  const scale = devicePixelRatio;
  const pen = { context: ui.plates[0].context, font: ui.theme.font };
  const panel = allRows(ui);
  const marks = ui.agree ? MARKS : 0;
  const room = (count) => (width - BETWEEN * (count - 1)) / count;
  const fit = (count) => matrixLayout(pen, panel, room(count) - marks, scale, MOST);
  let count = width < WIDE ? 1 : 2;
  if (count === 2 && ui.maps.length === 3 && fit(3).pitch >= Math.min(COMFORT, fit(2).pitch)) count = 3;
  const layout = fit(count);
  layout.left += marks;
  layout.gap = 6 + marks;
  const breadth = Math.max(layout.left + layout.widthPx / scale + layout.right, NARROWEST);
  ui.find(".maps").style.gridTemplateColumns = `repeat(${count}, minmax(0, ${Math.ceil(breadth)}px))`;
  // Below two maps the difference leaves half of the width to the legend.
  if (count === 2 && ui.maps.length === 3) ui.find(".maps").append(ui.find(".legend"));
  else ui.find(".reading").after(ui.find(".legend"));
  ui.maps.forEach((map, at) => {
    const plate = ui.plates[at];
    const heightPx = Math.round(layout.cellPx * map.queries.length);
    const theme = at === 2 ? { ...ui.theme, ramp: ui.theme.diverging } : ui.theme;
    drawMatrix(theme, plate, map, map.levels, { ...layout, heightPx }, scale);
    drawGold(ui, plate, map.gold, layout, scale);
    if (ui.agree) drawAgreement(ui, plate, layout, scale);
  });
}

/**
 * Outlines inside the cells, with a pale line on each side so that they show on every colour.
 * @param {{ outline: Record<string, string>, theme: Theme }} ui
 * @param {Pick<Plate, "context" | "left" | "top">} plate
 * @param {Gold[]} gold
 * @param {{ cellPx: number, pitch: number }} layout
 * @param {number} scale
 */
export function drawGold(ui, { context, left, top }, gold, { cellPx, pitch }, scale) {
  const halo = pitch >= 10 ? scale : 0;
  const thick = scale * (pitch < 24 ? 1 : 2);
  for (const [row, column, sure] of gold) {
    const inset = thick / 2 + halo;
    /** @type {[number, number, number, number]} */
    const box = [left + column * cellPx + inset, top + row * cellPx + inset, cellPx - 2 * inset, cellPx - 2 * inset];
    const stroke = (style, width, dash) => {
      context.setLineDash(dash);
      Object.assign(context, { strokeStyle: style, lineWidth: width });
      context.strokeRect(...box);
    };
    if (halo) stroke(ui.theme.background, thick + 2 * halo, []);
    stroke(ui.outline[ui.theme.scheme], thick, sure ? [] : [2 * thick, 2 * thick]);
  }
  context.setLineDash([]);
}

/**
 * A sign beside each row: whether both maps point to the same key. Where rows are low, a bar stands for "not".
 * @param {{ agree: boolean[] | null, theme: Theme }} ui
 * @param {Pick<Plate, "context" | "left" | "top">} plate
 * @param {{ cellPx: number, pitch: number, rowFont: number }} layout
 * @param {number} scale
 */
export function drawAgreement(ui, { context, left, top }, { cellPx, pitch, rowFont }, scale) {
  const low = every(rowFont, pitch) > 1;
  Object.assign(context, { fillStyle: ui.theme.text, textAlign: "center", textBaseline: "middle" });
  context.font = `${rowFont * scale}px ${ui.theme.font}`;
  ui.agree.forEach((same, row) => {
    const y = top + row * cellPx;
    if (low && !same) context.fillRect(left - 12 * scale, y, 6 * scale, Math.ceil(cellPx));
    if (!low) context.fillText(same ? "✓" : "≠", left - (MARKS / 2 + 2) * scale, y + cellPx / 2);
  });
}

/** @param {Ui} ui */
export function drawLegend(ui) {
  const draw = (name, ramp, ticks) => {
    paintStrip(ui.find(`${name} .ramp`), LEVELS + 1, 1, (x) => ramp[x]);
    drawTicks(ui.find(`${name} .ticks`), ticks);
  };
  draw(".sequential", ui.theme.ramp, weightTicks());
  draw(".diverging", ui.theme.diverging, DIFFERENCES);
  ui.root.style.setProperty("--outline", ui.outline[ui.theme.scheme]);
}

/**
 * Where the cells of a plate are, in CSS pixels.
 * @param {Plate} plate
 */
export function boxOf({ left, top, tile }) {
  const css = (px) => px / devicePixelRatio;
  return { left: css(left), top: css(top), width: css(tile.width), height: css(tile.height) };
}

/** @param {Plate} plate @param {{ clientY: number }} event */
export function rowUnder(plate, event) {
  const box = plate.canvas.getBoundingClientRect();
  const y = Math.floor((event.clientY - box.top) * devicePixelRatio) - plate.top;
  return y >= 0 && y < plate.tile.height ? cellsUnder(y, plate.tile.height, plate.panel.queries.length)[0] : -1;
}
