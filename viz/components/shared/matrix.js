// @ts-check
// One matrix with its labels on a canvas: laid out, drawn, and the cell that the pointer is at.
// Lengths are CSS pixels unless they are called device pixels (`...Px`): a canvas is painted in device pixels.

import { make } from "./dom.js";
import { cut, shown } from "./format.js";
import { LABEL, LARGEST } from "./sizes.js";

/** @import { Labelled, Layout, Pen, Plate, Range, Theme } from "./types.js" */

/** @param {HTMLElement} element @returns {Plate} */
export function createPlate(element) {
  const mark = (name) => make("div", { className: `mark ${name}`, hidden: true });
  const [row, column, chosen] = ["row", "column", "chosen"].map(mark);
  const canvas = make("canvas");
  element.append(canvas, row, column, chosen);
  return /** @type {any} */ ({ element, canvas, context: canvas.getContext("2d"), row, column, chosen });
}

/**
 * Sizes of one matrix with labels: the cell is a whole number of device pixels (unless that wastes much room), and the
 * labels follow from it. Column labels lie flat if they fit, lean at 45 degrees while there is room, and else stand
 * upright. `pen` is a context and a font family to measure with.
 * @param {Pen} pen
 * @param {Labelled & { rows?: number }} panel
 * @param {number} room
 * @param {number} scale
 * @param {{ cell: number, height: number }} [most]
 * @param {number} [margin]
 * @returns {Layout}
 */
export function matrixLayout(pen, { queries, keys, rows = queries.length }, room, scale, most = LARGEST, margin = 8) {
  const limit = Math.min(LABEL.longest, room * 0.27);
  const left = Math.ceil(widest(pen, queries, LABEL.max, limit)) + 10;
  const fit = Math.min((room - left - margin) / Math.max(keys.length, 1), most.height / Math.max(rows, 1));
  const fitPx = Math.min(fit, most.cell) * scale;
  const cellPx = Math.max(2, fitPx < 4 ? fitPx : Math.floor(fitPx));
  const pitch = cellPx / scale;
  const fontWithin = (size) => Math.min(LABEL.max, Math.max(LABEL.min, Math.floor(size)));
  const flat = widest(pen, keys, LABEL.max, limit) <= pitch - 4;
  const lean = !flat && pitch >= LABEL.min * 1.45;
  const angle = flat ? 0 : lean ? Math.PI / 4 : Math.PI / 2;
  const rowFont = fontWithin(pitch * 0.72);
  const columnFont = flat ? LABEL.max : fontWithin(lean ? pitch / 1.45 : pitch * 0.72);
  const long = widest(pen, keys, columnFont, limit);
  const top = Math.ceil(flat ? columnFont : long * Math.sin(angle) + columnFont * 0.6) + 8;
  const right = lean ? Math.max(4, Math.ceil(long * Math.cos(angle) - pitch / 2) + 6) : 4;
  const widthPx = Math.round(cellPx * keys.length);
  // Leaning labels reach beyond the last column: once that is known, the cells make room for it.
  if (right > margin && left + widthPx / scale + right > room) {
    return matrixLayout(pen, { queries, keys, rows }, room, scale, most, right + 8);
  }
  const heightPx = Math.round(cellPx * rows);
  return { cellPx, pitch, rowFont, columnFont, angle, limit, left, top, right, widthPx, heightPx };
}

/**
 * @param {Pen} pen
 * @param {string[]} labels
 * @param {number} font
 * @param {number} limit
 * @returns {number}
 */
export function widest({ context, font: family }, labels, font, limit) {
  context.font = `${font}px ${family}`;
  return Math.min(limit, Math.max(0, ...labels.map((label) => context.measureText(shown(label).slice(0, 200)).width)));
}

/**
 * Whether a query must not look at a key; `reach`, where there is a mask, counts the keys that each one may see.
 * @param {{ reach?: number[] | null }} panel
 * @param {number} query
 * @param {number} key
 */
export const isMasked = ({ reach }, query, key) => Boolean(reach) && key >= reach[query];

/**
 * Fills a plate with one matrix: cells, lines, labels, and what `hit` needs to know.
 * @param {Theme} theme
 * @param {Plate} plate
 * @param {Labelled} panel
 * @param {Uint8Array} levels
 * @param {Layout} layout
 * @param {number} scale
 */
export function drawMatrix(theme, plate, panel, levels, layout, scale) {
  const { context } = plate;
  plate.panel = panel;
  plate.tile = { width: layout.widthPx, height: layout.heightPx };
  plate.left = Math.round(layout.left * scale);
  plate.top = Math.round(layout.top * scale);
  // An overview of one head, so that hit testing is the same for both.
  Object.assign(plate, { layers: 1, heads: 1, pitchX: layout.widthPx, pitchY: layout.heightPx });
  const right = Math.round(layout.right * scale);
  const bottom = Math.ceil(Math.max(2, (layout.rowFont - layout.pitch) / 2 + 3) * scale); // for the last label
  sizeCanvas(plate, plate.left + layout.widthPx + right, plate.top + layout.heightPx + bottom, scale);
  paintMatrix(theme, context, panel, levels, plate.left, plate.top, plate.tile, 7 * scale);
  drawCellLines(theme, plate, layout, scale);
  drawLabels(theme, plate, layout, scale);
}

/**
 * Thin lines between large cells, so that a lecturer can count them, and a frame.
 * @param {Theme} theme
 * @param {Pick<Plate, "context" | "left" | "top" | "tile">} plate
 * @param {Layout} layout
 * @param {number} scale
 */
export function drawCellLines(theme, plate, { cellPx, pitch }, scale) {
  const { context, left, top, tile } = plate;
  context.strokeStyle = theme.border;
  context.lineWidth = Math.max(1, Math.floor(scale));
  context.strokeRect(left - 0.5, top - 0.5, tile.width + 1, tile.height + 1);
  if (pitch < 9) return;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (let x = left + cellPx; x < left + tile.width; x += cellPx) context.rect(x, top, 0, tile.height);
  for (let y = top + cellPx; y < top + tile.height; y += cellPx) context.rect(left, y, tile.width, 0);
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Of labels in rows of this pitch, every how many-th has room.
 * @param {number} font
 * @param {number} pitch
 */
export const every = (font, pitch) => Math.ceil((font * 1.1) / pitch);

/**
 * Row and column labels; every second, third ... one only where they would overlap.
 * @param {Theme} theme
 * @param {Pick<Plate, "context" | "panel">} plate
 * @param {Layout} layout
 * @param {number} scale
 */
export function drawLabels(theme, plate, { pitch, rowFont, columnFont, angle, limit, left, top, gap = 6 }, scale) {
  const { context, panel } = plate;
  context.save();
  context.scale(scale, scale);
  context.fillStyle = theme.text;
  context.textBaseline = "middle";
  context.font = `${rowFont}px ${theme.font}`;
  context.textAlign = "right"; // explicit, and "left" below: a right-to-left piece must not change sides
  for (let row = 0; row < panel.queries.length; row += every(rowFont, pitch)) {
    context.fillText(cut(context, shown(panel.queries[row]), limit), left - gap, top + (row + 0.5) * pitch);
  }
  context.font = `${columnFont}px ${theme.font}`;
  context.textAlign = angle ? "left" : "center";
  for (let column = 0; column < panel.keys.length; column += every(columnFont, pitch)) {
    context.save();
    context.translate(left + (column + 0.5) * pitch, top - (angle ? 6 : 4 + columnFont / 2));
    context.rotate(-angle);
    context.fillText(cut(context, shown(panel.keys[column]), limit), 0, 0);
    context.restore();
  }
  context.restore();
}

/**
 * Paints levels at (x, y), all in device pixels. A pixel that covers several cells shows the largest of them.
 * @param {Theme} theme
 * @param {CanvasRenderingContext2D} context
 * @param {Labelled} panel
 * @param {Uint8Array} levels
 * @param {number} x
 * @param {number} y
 * @param {{ width: number, height: number }} size
 * @param {number} hatch
 */
export function paintMatrix(theme, context, panel, levels, x, y, { width, height }, hatch) {
  const rows = panel.queries.length;
  const columns = panel.keys.length;
  if (!rows || !columns) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const { ramp, hatchLine, hatchGround } = theme;
  const period = Math.max(3, Math.round(hatch));
  const across = Array.from({ length: width }, (_, column) => cellsUnder(column, width, columns));
  for (let row = 0; row < height; row++) {
    const [firstRow, endRow] = cellsUnder(row, height, rows);
    for (let column = 0; column < width; column++) {
      const [first, end] = across[column];
      let largest = 0;
      if (panel.reach && first >= panel.reach[endRow - 1]) {
        pixels[row * width + column] = (row + column) % period < period / 4 ? hatchLine : hatchGround;
        continue;
      }
      for (let query = firstRow; query < endRow; query++) {
        for (let cell = query * columns + first; cell < query * columns + end; cell++) {
          if (levels[cell] > largest) largest = levels[cell];
        }
      }
      pixels[row * width + column] = ramp[largest];
    }
  }
  context.putImageData(image, x, y);
}

/**
 * The cells [first, end) under pixel `at` of `pixels`: one when enlarged, all that it touches when reduced.
 * @param {number} at
 * @param {number} pixels
 * @param {number} cells
 * @returns {Range}
 */
export function cellsUnder(at, pixels, cells) {
  const first = Math.floor((at * cells) / pixels);
  return [first, pixels >= cells ? first + 1 : Math.ceil(((at + 1) * cells) / pixels)];
}

/**
 * @param {{ canvas: HTMLCanvasElement }} plate
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 */
export function sizeCanvas(plate, width, height, scale) {
  Object.assign(plate.canvas, { width, height }); // also clears it
  Object.assign(plate.canvas.style, { width: `${width / scale}px`, height: `${height / scale}px` });
}

/**
 * @param {HTMLElement} mark
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 */
export function place(mark, left, top, width, height) {
  Object.assign(mark.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  mark.hidden = false;
}

/**
 * The tile under the pointer and the cells [rows, columns] that its pixel covers; null beside the tiles.
 * @param {Plate} plate
 * @param {{ clientX: number, clientY: number }} event
 */
export function hit(plate, event) {
  if (!plate.panel || !plate.tile) return null;
  const { panel, tile } = plate;
  const box = plate.canvas.getBoundingClientRect();
  const scale = plate.canvas.width / box.width;
  const x = Math.floor((event.clientX - box.left) * scale) - plate.left;
  const y = Math.floor((event.clientY - box.top) * scale) - plate.top;
  const head = Math.floor(x / plate.pitchX);
  const layer = Math.floor(y / plate.pitchY);
  const tileX = x - head * plate.pitchX;
  const tileY = y - layer * plate.pitchY;
  if (x < 0 || y < 0 || head >= plate.heads || layer >= plate.layers) return null;
  const inside = tileX < tile.width && tileY < tile.height && panel.queries.length && panel.keys.length;
  const cell = inside && [
    cellsUnder(tileY, tile.height, panel.queries.length),
    cellsUnder(tileX, tile.width, panel.keys.length),
  ];
  return { head, layer, cell };
}

/**
 * Where the two lines around a cell are: at least three pixels apart, so that the cell can be seen between them.
 * @param {number} start
 * @param {number} size
 * @returns {Range}
 */
export const band = (start, size) => [start - Math.max(1, (5 - size) / 2), Math.max(size + 2, 5)];
