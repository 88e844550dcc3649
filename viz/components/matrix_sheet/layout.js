// @ts-check
// How large the cells of a matrix are, and where they and their labels stand.

import { within } from "../shared/format.js";
import { widest } from "../shared/matrix.js";

/** @import { Figure, Matrix, Pen, Ui } from "./types.js" */

const ROOM = { rows: 420, columns: 400, numbers: 512, weights: 256, least: 3 }; // of a small matrix
const CELL = { row: 20, column: 34, number: 6, wide: 44, strip: 26, large: [50, 26] }; // largest pitches
export const NAMES = { font: 12, row: 92, column: 76 }; // longest labels
const TALLEST = 0.62; // of an enlarged matrix, of the window's height

/**
 * How far cells of a small matrix are apart, across and down: `fit` across is all that there is room for.
 * @param {Matrix} matrix
 * @param {number} fit
 */
function pitches({ rows, columns, wide }, fit) {
  const across = columns.labels
    ? within(ROOM.columns / columns.count, ROOM.least, CELL.column)
    : within(ROOM.numbers / columns.count, 1, CELL.number);
  const down = rows.labels
    ? within(ROOM.rows / rows.count, ROOM.least, wide ? CELL.strip : CELL.row)
    : within(ROOM.weights / rows.count, 0.5, CELL.number);
  return [Math.min(fit, wide ? CELL.wide : across), down];
}

/**
 * Where labels and cells of a matrix are, in CSS pixels: `left` and `top` of the cells, and the pitch of each way, from
 * the width that there is room for. A large one is seen through a window that is at most so tall.
 * @param {Matrix} matrix
 * @param {Pen} pen
 * @param {object} limits
 * @param {number} limits.room
 * @param {number} limits.scale
 * @param {boolean} [limits.large]
 * @param {number} [limits.tallest]
 * @param {(matrix: Matrix, fit: number) => number[]} [limits.pitchesOf]
 */
export function placeFigure(matrix, pen, { room, scale, large = false, tallest = Infinity, pitchesOf = pitches }) {
  const { rows, columns } = matrix;
  const long = (axis, most) => widest(pen, axis.labels ?? [String(axis.count)], NAMES.font, most);
  const left = Math.ceil(long(rows, large ? 160 : NAMES.row)) + 8;
  const [pitchX, pitchY] = pitchesOf(matrix, (room - left - 4) / columns.count).map(
    // whole device pixels for a cell that is not tiny
    (pitch) => (pitch * scale < 4 ? pitch : Math.floor(pitch * scale) / scale),
  );
  const length = columns.labels ? long(columns, large ? 120 : NAMES.column) : 0;
  const flat = !columns.labels || length <= pitchX - 4;
  const angle = flat ? 0 : pitchX >= 16 ? Math.PI / 4 : Math.PI / 2;
  const top = Math.ceil(flat ? NAMES.font : length * Math.sin(angle) + NAMES.font * 0.6) + 6;
  const over = angle === Math.PI / 4 ? Math.ceil(length * Math.cos(angle) - pitchX / 2) + 6 : 2; // of the last label
  const [width, height] = [pitchX * columns.count, pitchY * rows.count];
  const [viewWidth, viewHeight] = large
    ? [Math.min(width, room - left - 16), Math.min(height, tallest)]
    : [width, height];
  const right = within(over, 2, Math.max(2, room - left - viewWidth));
  return { scale, left, top, right, pitchX, pitchY, angle, length, viewWidth, viewHeight };
}

/** @param {Ui} ui @param {Figure} figure @param {number} room @param {boolean} large */
export function layOut(ui, figure, room, large) {
  const { matrix } = figure;
  const scale = devicePixelRatio;
  const pen = { context: figure.context, font: ui.theme.font };
  const enlarged = (_, fit) => [within(fit, CELL.large[0], 2 * CELL.large[0]), CELL.large[1]];
  const window = large ? { large, tallest: innerHeight * TALLEST, pitchesOf: enlarged } : {};
  Object.assign(figure, placeFigure(matrix, pen, { room, scale, ...window }));
  const { left, top, right, viewWidth, viewHeight } = figure;
  const full = { width: figure.pitchX * matrix.columns.count, height: figure.pitchY * matrix.rows.count };
  const view = { width: viewWidth, height: viewHeight };
  const css = (node, width, height) => Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
  css(figure.view, left + view.width + right, top + view.height + 2);
  css(figure.inner, left + full.width + right, top + full.height + 2);
  css(figure.canvas, left + view.width + right, top + view.height + 2);
  figure.plate.style.maxHeight = large ? `${top + view.height + 20}px` : "";
  figure.canvas.width = Math.round((left + view.width + right) * scale);
  figure.canvas.height = Math.round((top + view.height + 2) * scale);
  Object.assign(figure.marks.style, { left: `${left}px`, top: `${top}px`, right: `${right}px`, bottom: "2px" });
}
