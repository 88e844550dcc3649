// @ts-check
// Pointing at cells and enlarging a matrix, by pointer and keys.

import { make } from "../shared/dom.js";
import { shown, within } from "../shared/format.js";
import { drawAll, showMarks } from "./draw.js";
import { exact } from "./levels.js";
import { columnLeft, rowTop } from "./paint.js";

/** @import { Cell, Figure, Ui } from "./types.js" */

/** @param {Figure} figure @param {PointerEvent} event */
export function cellAt(figure, event) {
  const { matrix, left, top, pitchX, pitchY, plate } = figure;
  const box = figure.canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left - left, event.clientY - box.top - top];
  if (x < 0 || y < 0 || x >= figure.viewWidth || y >= figure.viewHeight) return null;
  const row = Math.floor((y + plate.scrollTop) / pitchY);
  const column = Math.floor((x + plate.scrollLeft) / pitchX);
  return row < matrix.rows.count && column < matrix.columns.count ? { row, column } : null;
}

/**
 * Does nothing while the pointer stays in a cell.
 * @param {Ui} ui
 * @param {Figure} figure
 * @param {Cell | null} cell
 */
export function pointAt(ui, figure, cell) {
  const { cursor } = figure;
  const same = cell && cursor.row === cell.row && cursor.column === cell.column;
  if (!same || ui.find(".tip").hidden) point(ui, figure, cell);
}

/**
 * Points at a cell, here and wherever its row or column is; null points at nothing. Returns what it is, in words.
 * @param {Ui} ui
 * @param {Figure} figure
 * @param {Cell | null} cell
 */
export function point(ui, figure, cell) {
  const { rows, columns, values } = figure.matrix;
  const tip = ui.find(".tip");
  const boxes = [figure.canvas, ui.root].map((node) => node.getBoundingClientRect()); // before anything moves
  const names = (axis, at) => axis.names.map((name) => [name, at]);
  ui.shared.pointed = cell ? Object.fromEntries([...names(rows, cell.row), ...names(columns, cell.column)]) : {};
  ui.shared.uis.forEach(showMarks);
  tip.hidden = !cell;
  if (!cell) return "";
  figure.cursor = cell;
  const value = values[cell.row * columns.count + cell.column];
  const label = (axis, at) => (axis.labels ? shown(axis.labels[at]) : String(at + 1));
  /** @type {[string, string][]} */
  const parts = [
    [rows.word, label(rows, cell.row)],
    [columns.word, label(columns, cell.column)],
  ];
  const number = value === -Infinity ? ui.texts.hidden : exact(value);
  const line = ([word, text]) => make("div", {}, `${word}: `, make("bdi", { textContent: text }));
  tip.replaceChildren(...parts.map(line), make("strong", { textContent: number }));
  placeTip(ui, tip, figure, cell, boxes);
  return `${parts.map((part) => part.join(": ")).join(", ")}: ${number}`;
}

/**
 * Below the cell, on the side where there is more room; its size need not be known.
 * @param {Ui} ui
 * @param {HTMLElement} tip
 * @param {Figure} figure
 * @param {Cell} cell
 * @param {DOMRect[]} boxes
 */
function placeTip(ui, tip, figure, { row, column }, [canvas, root]) {
  const x = canvas.left - root.left + columnLeft(figure, column);
  const y = canvas.top - root.top + rowTop(figure, row) + figure.pitchY + 10;
  const onLeft = x > ui.width * 0.6;
  tip.style.left = onLeft ? "auto" : `${x + figure.pitchX + 10}px`;
  tip.style.right = onLeft ? `${ui.width - x + 10}px` : "auto";
  tip.style.top = `${y}px`;
}

/** @param {Ui} ui @param {Figure} figure @param {KeyboardEvent} event */
export function onKey(ui, figure, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { rows, columns } = figure.matrix;
  const { row, column } = figure.cursor;
  const to = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns.count - 1 },
  }[event.key];
  if (event.key === "Enter") enlarge(ui, ui.large === figure ? null : figure);
  if (!to && event.key !== "Enter") return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  const cell = to ?? figure.cursor;
  cell.row = within(cell.row, 0, rows.count - 1);
  cell.column = within(cell.column, 0, columns.count - 1);
  bringIntoView(figure, cell);
  ui.find(".live").textContent = point(ui, figure, cell);
}

/**
 * Scrolls the window of an enlarged matrix so that the cell is in it.
 * @param {Figure} figure
 * @param {Cell} cell
 */
function bringIntoView({ plate, pitchX, pitchY, viewWidth, viewHeight }, { row, column }) {
  plate.scrollLeft = within(plate.scrollLeft, (column + 1) * pitchX - viewWidth, column * pitchX);
  plate.scrollTop = within(plate.scrollTop, (row + 1) * pitchY - viewHeight, row * pitchY);
}

/**
 * Shows one matrix large, in place, and the others small; null shows all small.
 * @param {Ui} ui
 * @param {Figure | null} figure
 */
export function enlarge(ui, figure) {
  const before = ui.large;
  ui.large = figure;
  point(ui, figure ?? before, null);
  drawAll(ui);
  const { plate, element, cursor } = figure ?? before;
  if (figure) bringIntoView(figure, cursor);
  plate.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}
