// @ts-check
// A matrix on its canvas: cells, numbers in them, names beside them.

import { rgb } from "../shared/colours.js";
import { cut, shown, signed, within } from "../shared/format.js";
import { every } from "../shared/matrix.js";
import { NAMES } from "./layout.js";
import { HIDDEN, LEVELS, sizeOf, stepOf } from "./levels.js";

/** @import { Axis, Figure, Range, Theme, Ui } from "./types.js" */

/** @param {Ui} ui @param {Figure} figure */
export function paint(ui, figure) {
  const { context, canvas, scale } = figure;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const ramp = figure.matrix.signed ? ui.theme.diverging : ui.theme.ramp;
  paintCells(ui.theme, figure, ramp);
  context.scale(scale, scale);
  drawGrid(ui.theme, figure);
  drawNumbers(ui.theme, figure, ramp);
  drawNames(ui.theme, figure);
  if (figure.matrix.part?.[2] === figure.matrix.columns.count) drawPart(ui.theme, figure);
}

/**
 * The cells [first, end) under device pixel `at`: one when enlarged, all that it touches when reduced.
 * @param {number} at
 * @param {number} pitch
 * @param {number} count
 * @returns {Range}
 */
function under(at, pitch, count) {
  const first = Math.min(Math.floor(at / pitch), count - 1);
  return [first, pitch >= 1 ? first + 1 : Math.min(Math.ceil((at + 1) / pitch), count)];
}

/**
 * What of the matrix is seen, pixel by pixel. A pixel that covers several cells shows the one furthest from 0.
 * @param {Theme} theme
 * @param {Figure} figure
 * @param {Uint32Array} ramp
 */
function paintCells({ hatchLine, hatchGround }, figure, ramp) {
  const { matrix, context, scale, pitchX, pitchY, plate } = figure;
  const { levels, rows, columns, signed } = matrix;
  const [width, height] = [figure.viewWidth, figure.viewHeight].map((size) => Math.max(1, Math.round(size * scale)));
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const period = Math.max(3, Math.round(7 * scale));
  const zero = signed ? LEVELS / 2 : 0;
  const columnsAt = (x) => under(x + plate.scrollLeft * scale, pitchX * scale, columns.count);
  const across = Array.from({ length: width }, (_, x) => columnsAt(x));
  for (let y = 0; y < height; y++) {
    const [top, bottom] = under(y + plate.scrollTop * scale, pitchY * scale, rows.count);
    for (let x = 0; x < width; x++) {
      const [first, end] = across[x];
      let furthest = HIDDEN;
      for (let row = top; row < bottom; row++) {
        for (let cell = row * columns.count + first; cell < row * columns.count + end; cell++) {
          const level = levels[cell];
          if (level === HIDDEN) continue;
          if (furthest === HIDDEN || Math.abs(level - zero) > Math.abs(furthest - zero)) furthest = level;
        }
      }
      const hatched = (x + y) % period < period / 4 ? hatchLine : hatchGround;
      pixels[y * width + x] = furthest === HIDDEN ? hatched : ramp[furthest];
    }
  }
  context.putImageData(image, Math.round(figure.left * scale), Math.round(figure.top * scale));
}

/**
 * The rows or columns that can be seen: [first, end).
 * @param {number} scroll
 * @param {number} length
 * @param {number} pitch
 * @param {Axis} axis
 * @returns {Range}
 */
const seen = (scroll, length, pitch, { count }) => [
  Math.floor(scroll / pitch),
  Math.min(Math.ceil((scroll + length) / pitch), count),
];

/** @param {Figure} figure @returns {Range} */
const seenRows = ({ plate, viewHeight, pitchY, matrix }) => seen(plate.scrollTop, viewHeight, pitchY, matrix.rows);
/** @param {Figure} figure @returns {Range} */
const seenColumns = ({ plate, viewWidth, pitchX, matrix }) => seen(plate.scrollLeft, viewWidth, pitchX, matrix.columns);
/** @param {Figure} figure @param {number} row */
export const rowTop = (figure, row) => figure.top + row * figure.pitchY - figure.plate.scrollTop;
/** @param {Figure} figure @param {number} column */
export const columnLeft = (figure, column) => figure.left + column * figure.pitchX - figure.plate.scrollLeft;

/**
 * A frame, and thin lines between cells that are large enough to be counted.
 * @param {Theme} theme
 * @param {Figure} figure
 */
export function drawGrid(theme, figure) {
  const { context, left, top, pitchX, pitchY, viewWidth, viewHeight, scale } = figure;
  Object.assign(context, { strokeStyle: theme.border, lineWidth: 1 / scale });
  context.strokeRect(left - 0.5 / scale, top - 0.5 / scale, viewWidth + 1 / scale, viewHeight + 1 / scale);
  context.beginPath();
  const line = (x, y, width, height) => context.rect(x, y, width, height);
  const [firstColumn, endColumn] = seenColumns(figure);
  const [firstRow, endRow] = seenRows(figure);
  for (let at = firstColumn + 1; pitchX >= 9 && at < endColumn; at++) line(columnLeft(figure, at), top, 0, viewHeight);
  for (let at = firstRow + 1; pitchY >= 9 && at < endRow; at++) line(left, rowTop(figure, at), viewWidth, 0);
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Clips to the cells while something is drawn.
 * @param {Figure} figure
 * @param {(context: any) => void} drawing
 */
function inside(figure, drawing) {
  const { context, left, top, viewWidth, viewHeight } = figure;
  context.save();
  context.beginPath();
  context.rect(left, top, viewWidth, viewHeight);
  context.clip();
  drawing(context);
  context.restore();
}

/**
 * Numbers in the cells, where they fit.
 * @param {Theme} theme
 * @param {Figure} figure
 * @param {Uint32Array} ramp
 */
export function drawNumbers(theme, figure, ramp) {
  const { context, matrix, pitchX, pitchY } = figure;
  const digits = sizeOf(matrix.limit);
  const longest = `${matrix.signed ? "−" : ""}${matrix.limit.toFixed(digits)}`;
  context.font = `10px ${theme.font}`;
  const size = Math.floor(Math.min((10 * (pitchX - 4)) / context.measureText(longest).width, pitchY * 0.65, 12));
  if (size < 9) return;
  context.font = `${size}px ${theme.font}`;
  const inkOn = standingOut(theme);
  inside(figure, () => {
    Object.assign(context, { textAlign: "center", textBaseline: "middle" });
    for (let row = seenRows(figure)[0]; row < seenRows(figure)[1]; row++) {
      for (let column = seenColumns(figure)[0]; column < seenColumns(figure)[1]; column++) {
        const cell = row * matrix.columns.count + column;
        const level = matrix.levels[cell];
        const colour = level === HIDDEN ? theme.hatchGround : ramp[level];
        context.fillStyle = inkOn(colour);
        const text = level === HIDDEN ? "−∞" : signed(matrix.values[cell], digits);
        context.fillText(text, columnLeft(figure, column) + pitchX / 2, rowTop(figure, row) + pitchY / 2 + 0.5);
      }
    }
  });
}

/** @param {number[]} colour */
const light = ([red, green, blue]) => 0.299 * red + 0.587 * green + 0.114 * blue;

/**
 * Which of the theme's two colours for text and page stands out on a packed colour.
 * @param {Theme} theme
 */
function standingOut({ background, text }) {
  const [page, ink] = [background, text].map((colour) => light(rgb(colour)));
  return (colour) => {
    const lightness = light([colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]);
    return Math.abs(lightness - page) > Math.abs(lightness - ink) ? background : text;
  };
}

/**
 * Labels of rows and columns, or numbers at round distances.
 * @param {Theme} theme
 * @param {Figure} figure
 */
export function drawNames(theme, figure) {
  const { context, matrix, left, top, pitchX, pitchY, angle, viewWidth, viewHeight } = figure;
  const { rows, columns } = matrix;
  const font = within(Math.floor(pitchY * 0.8), 9, NAMES.font);
  Object.assign(context, { fillStyle: theme.text, textBaseline: "middle", textAlign: "right" });
  context.font = `${rows.labels ? font : 10}px ${theme.font}`;
  const [first, end] = seenRows(figure);
  const rowStep = rows.labels ? every(font, pitchY) : stepOf(12, pitchY);
  for (let row = first - (first % rowStep); row < end; row += rowStep) {
    const y = rowTop(figure, row) + (rowStep > 1 && !rows.labels ? Math.min(5, pitchY / 2 + 4) : pitchY / 2);
    if (y < top || y > top + viewHeight) continue;
    context.fillText(rows.labels ? cut(context, shown(rows.labels[row]), left - 6) : row + 1, left - 5, y);
  }
  const [start, stop] = seenColumns(figure);
  const columnStep = columns.labels ? (angle ? every(NAMES.font, pitchX) : 1) : stepOf(30, pitchX);
  context.font = `${columns.labels ? NAMES.font : 10}px ${theme.font}`;
  context.textAlign = angle ? "left" : "center";
  for (let column = start - (start % columnStep); column < stop; column += columnStep) {
    const x = columnLeft(figure, column) + pitchX / 2;
    if (x < left || x > left + viewWidth) continue;
    if (!columns.labels && columnStep > 1) context.textAlign = "left";
    context.save();
    context.translate(columns.labels || columnStep === 1 ? x : columnLeft(figure, column), top - (angle ? 5 : 8));
    context.rotate(-angle);
    context.fillText(columns.labels ? cut(context, shown(columns.labels[column]), figure.length) : column + 1, 0, 0);
    context.restore();
  }
}

/**
 * The columns that are the head's own, between two lines and under a bar.
 * @param {Theme} theme
 * @param {Figure} figure
 */
export function drawPart(theme, figure) {
  const [first, end] = figure.matrix.part;
  const [from, to] = [columnLeft(figure, first), columnLeft(figure, end)];
  figure.context.fillStyle = theme.primary;
  const [start, stop] = [from, to].map((x) => within(x, figure.left, figure.left + figure.viewWidth));
  figure.context.fillRect(start, figure.top - 3, stop - start, 3);
  inside(figure, (context) => {
    for (const x of [from, to]) context.fillRect(x - 0.75, figure.top, 1.5, figure.viewHeight);
  });
}
