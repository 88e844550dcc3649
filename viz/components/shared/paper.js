// @ts-check
// A picture for a file: text, scales and matrices one below the other. A component's own save.js says what it is.

import { hex } from "./colours.js";
import { drawCellLines, drawLabels, isMasked } from "./matrix.js";
import { svgContext } from "./svg.js";

/** @import { Labelled, Layout, Paper, Theme } from "./types.js" */

export const FILE = { font: "Helvetica, Arial, sans-serif", room: 900, narrowest: 520, margin: 20, cell: 12 };

/** What stands in one line: a word, or a Chinese sign with the punctuation after it; with the space before. */
const UNBROKEN = /\s*(?:[\u2e80-\u9fff\uff00-\uffef][\u3001-\u3011\uff00-\uffef]*|[^\s\u2e80-\u9fff\uff00-\uffef]+)/g;

/**
 * A picture in the making: `context` draws on it, and lines of text follow each other down from `y`.
 * @param {Theme} theme
 * @returns {Paper}
 */
export function filePaper(theme) {
  const context = svgContext(document.createElement("canvas").getContext("2d"));
  context.translate(FILE.margin, 0);
  /** @type {any} */
  const paper = { context, y: FILE.margin };
  const write = (font) => Object.assign(context, { font: `${font}px ${FILE.font}`, fillStyle: theme.text });
  paper.width = (words, font = 12) => (write(font), context.measureText(words).width);
  paper.text = (words, x, y, font = 12, align = "left") => {
    write(font).textAlign = align;
    context.fillText(words, x, y);
  };
  paper.paragraph = (words, width, font = 12, x = 0) => {
    for (let left = words.match(UNBROKEN) ?? []; left.length; paper.y += Math.round(font * 1.4)) {
      let count = 1;
      const line = (length) => left.slice(0, length).join("").trim();
      while (count < left.length && paper.width(line(count + 1), font) <= width) count += 1;
      paper.text(line(count), x, paper.y + font * 0.7, font);
      left = left.slice(count);
    }
    paper.y += 4;
  };
  /** The colours of a ramp, from its first level to its last, with marks below: [text, share of the length]. */
  paper.scale = (ramp, ticks, x = 0, wide = 240) => {
    for (let at = 0; at < wide; at += 4) {
      context.fillStyle = hex(ramp[Math.round((at / (wide - 4)) * (ramp.length - 1))]);
      context.fillRect(x + at, paper.y, 4, 12);
    }
    for (const [text, share] of ticks) {
      paper.text(text, x + wide * share, paper.y + 22, 11, share === 0 ? "left" : share === 1 ? "right" : "center");
    }
    paper.y += 38;
  };
  paper.document = (title, width) =>
    context.document({
      width: Math.ceil(width) + 2 * FILE.margin,
      height: Math.ceil(paper.y) + FILE.margin,
      background: theme.background,
      font: FILE.font,
      title,
      hatch: { ground: hex(theme.hatchGround), line: hex(theme.hatchLine) },
    });
  return paper;
}

/**
 * @typedef {object} Cells
 * @property {number} left
 * @property {number} top
 * @property {number} rows
 * @property {number} columns
 * @property {number} pitchX
 * @property {number} [pitchY]
 * @property {Uint32Array} ramp
 * @property {number} [ground]
 * @property {(row: number, column: number) => number} levelAt
 */

/**
 * Cells as one path for each colour, equal neighbours in a row as one rectangle. `levelAt(row, column)` is -1 where the
 * mask is; cells of level `ground` are not drawn one by one.
 * @param {Theme} theme
 * @param {any} context
 * @param {Cells} cells
 */
export function fillCells(
  theme,
  context,
  { left, top, rows, columns, pitchX, pitchY = pitchX, ramp, ground = 0, levelAt },
) {
  const fills = new Map();
  for (let row = 0; row < rows; row++) {
    for (let column = 0, end; column < columns; column = end) {
      const level = levelAt(row, column);
      for (end = column + 1; end < columns && levelAt(row, end) === level;) end += 1;
      if (level === ground) continue;
      if (!fills.has(level)) fills.set(level, []);
      fills.get(level).push([left + column * pitchX, top + row * pitchY, (end - column) * pitchX, pitchY]);
    }
  }
  context.fillStyle = hex(ramp[ground]);
  context.fillRect(left, top, columns * pitchX, rows * pitchY);
  for (const [level, boxes] of fills) {
    context.fillStyle = level < 0 ? `url(#hatch) ${hex(theme.hatchGround)}` : hex(ramp[level]);
    context.beginPath();
    for (const box of boxes) context.rect(...box);
    context.fill();
  }
}

/**
 * One matrix with its labels, laid out by `matrixLayout` at scale 1, at (left, top) of its cells.
 * @param {Theme} theme
 * @param {any} context
 * @param {Labelled} panel
 * @param {Uint8Array} levels
 * @param {Layout} layout
 * @param {number} left
 * @param {number} top
 */
export function drawMatrixFile(theme, context, panel, levels, layout, left, top) {
  const columns = panel.keys.length;
  const rows = panel.queries.length;
  const tile = { width: layout.cellPx * columns, height: layout.cellPx * rows };
  const plate = { context, panel, left, top, tile };
  const levelAt = (row, column) => (isMasked(panel, row, column) ? -1 : levels[row * columns + column]);
  const { ramp, ground = 0 } = theme;
  fillCells(theme, context, { left, top, rows, columns, pitchX: layout.cellPx, ramp, ground, levelAt });
  drawCellLines(theme, plate, layout, 1);
  drawLabels(theme, plate, { ...layout, left, top }, 1);
  return plate;
}
