// @ts-check
// What is saved of a sheet: its matrices with the signs between them, or the enlarged one alone; or the numbers.

import { within } from "../shared/format.js";
import { FILE, filePaper, fillCells } from "../shared/paper.js";
import { csvText } from "../shared/save.js";
import { placeFigure } from "./layout.js";
import { HIDDEN, LEVELS, scaleEnds } from "./levels.js";
import { drawGrid, drawNames, drawNumbers, drawPart } from "./paint.js";

/** @import { Figure, Matrix, Paper, Theme, Ui } from "./types.js" */

const SAVED = { room: 1180, large: [50, 26, 1600], between: 14, ramp: 84 }; // pitches and size of a single matrix
/** @param {Ui} ui */
export const sheetFiles = (ui) => ({ name: () => sheetName(ui), svg: () => sheetSvg(ui), csv: () => sheetCsv(ui) });
/** @param {Ui} ui */
const savedFigures = ({ figures, large }) => (large ? [large] : figures);
/** @param {Matrix} matrix */
const wordsOf = ({ rows, columns }) => `↓ ${rows.word}\u2003→ ${columns.word}`;

/** @param {Ui} ui */
function sheetName({ id, large }) {
  const name = large ? `-${large.matrix.title}` : "";
  return `regard-${id}${name}`.replace(/[^\p{L}\p{N}-]+/gu, "-");
}

/**
 * The matrices in lines, laid out anew, so that neither the window nor what is scrolled matters to the file.
 * @param {Ui} ui
 */
function sheetSvg(ui) {
  const theme = { ...ui.theme, font: FILE.font };
  const paper = filePaper(theme);
  const figures = savedFigures(ui).map((figure) => fileFigure(ui, figure, paper, theme));
  /** @type {any[][]} */
  const lines = [];
  let x = Infinity;
  for (const figure of figures) {
    if (x + figure.breadth > SAVED.room || (figure.matrix.breaks && x)) [x] = [0, lines.push([])];
    figure.x = x + figure.room;
    x += figure.breadth + SAVED.between;
    lines.at(-1).push(figure);
  }
  const width = Math.max(FILE.narrowest, ...figures.map((figure) => figure.x - figure.room + figure.breadth));
  for (const line of lines) {
    const start = paper.y;
    const heads = line.map((figure) => ((paper.y = start), drawHead(paper, theme, figure), paper.y));
    const top = Math.max(...heads);
    const feet = line.map((figure) => {
      paper.y = top;
      drawFigureFile(ui, paper, theme, figure);
      return paper.y;
    });
    paper.y = Math.max(...feet) + 12;
  }
  paper.paragraph(ui.texts.scale, width);
  return paper.document(sheetName(ui), width);
}

/**
 * A figure for the file: where its labels and cells are, and how much room it takes with its words.
 * @param {Ui} ui
 * @param {Figure} figure
 * @param {Paper} paper
 * @param {Theme} theme
 * @returns {any}
 */
function fileFigure(ui, { matrix, places }, paper, theme) {
  const [across, down, size] = SAVED.large;
  const most = [within(size / matrix.columns.count, 1, across), within(size / matrix.rows.count, 1, down)];
  const context = paper.context;
  const plate = { scrollLeft: 0, scrollTop: 0 };
  const room = matrix.sign && !ui.large ? Math.ceil(paper.width(matrix.sign, 18)) + 12 : 0;
  const limits = ui.large ? { room: Infinity, large: true, pitchesOf: () => most } : { room: SAVED.room - room };
  const layout = placeFigure(matrix, { context, font: theme.font }, { scale: 1, ...limits });
  const cells = layout.left + layout.viewWidth + layout.right;
  const words = Math.max(paper.width(matrix.title, 15) + 70, Math.min(paper.width(wordsOf(matrix), 11), 160));
  return { matrix, places, context, plate, room, ...layout, breadth: room + Math.max(cells, words) };
}

/**
 * Name, shape and words of a matrix, and which part of a whole it is.
 * @param {Paper} paper
 * @param {Theme} theme
 * @param {Figure} figure
 */
function drawHead(paper, theme, { matrix, x, breadth, room, left, viewWidth }) {
  const [name, lower = ""] = matrix.title.split("_");
  paper.text(name, x, paper.y + 8, 15);
  const after = x + paper.width(name, 15) + 1;
  paper.text(lower, after, paper.y + 12, 11);
  paper.text(`${matrix.rows.count} × ${matrix.columns.count}`, after + paper.width(lower, 11) + 8, paper.y + 9, 11);
  paper.y += 22;
  paper.paragraph(wordsOf(matrix), breadth - room, 11, x);
  const [first, end, whole] = matrix.part ?? [0, 0, matrix.columns.count];
  if (whole === matrix.columns.count) return;
  const { context } = paper;
  const wide = left + viewWidth;
  Object.assign(context, { strokeStyle: theme.border, lineWidth: 1, fillStyle: theme.primary });
  context.strokeRect(x, paper.y, wide, 6);
  context.fillRect(x + (wide * first) / whole, paper.y, (wide * (end - first)) / whole, 6);
  paper.y += 10;
}

/** @param {Ui} ui @param {Paper} paper @param {Theme} theme @param {Figure} figure */
function drawFigureFile(ui, paper, theme, figure) {
  const { context, matrix, x, room, breadth, left, top, pitchX, pitchY, viewWidth, viewHeight } = figure;
  const { rows, columns, levels, signed } = matrix;
  const ramp = signed ? theme.diverging : theme.ramp;
  if (room) paper.text(matrix.sign, x - room, paper.y + top + viewHeight / 2, 18);
  context.save();
  context.translate(x, paper.y);
  const levelAt = (row, column) => {
    const level = levels[row * columns.count + column];
    return level === HIDDEN ? -1 : level;
  };
  const size = { left, top, rows: rows.count, columns: columns.count, pitchX, pitchY };
  fillCells(theme, context, { ...size, ramp, ground: signed ? LEVELS / 2 : 0, levelAt });
  drawGrid(theme, figure);
  drawNumbers(theme, figure, ramp);
  drawNames(theme, figure);
  if (matrix.part?.[2] === columns.count) drawPart(theme, figure);
  Object.assign(context, { strokeStyle: theme.primary, lineWidth: 2 });
  for (const { along, name, state } of figure.places) {
    const at = ui.shared.chosen[name];
    const down = along === "row";
    if (state !== "chosen" || at === undefined || at >= (down ? rows : columns).count) continue;
    context.setLineDash(name === "key" ? [5, 4] : []);
    if (down) context.strokeRect(left - 1, top + at * pitchY - 1, viewWidth + 2, pitchY + 2);
    else context.strokeRect(left + at * pitchX - 1, top - 1, pitchX + 2, viewHeight + 2);
  }
  context.setLineDash([]);
  context.restore();
  paper.y += top + viewHeight + 8;
  const [low, high] = scaleEnds(matrix);
  paper.text(low, x, paper.y + 6, 11);
  const from = x + paper.width(low, 11) + 6;
  const { y } = paper;
  paper.scale(ramp, [], from, SAVED.ramp);
  paper.text(high, from + SAVED.ramp + 6, y + 6, 11);
  paper.y = y + 20;
  if (matrix.note) paper.paragraph(matrix.note, breadth - room, 11, x);
}

/**
 * The exact numbers; a cell that the mask hides is -inf.
 * @param {Ui} ui
 */
function sheetCsv(ui) {
  const figures = savedFigures(ui);
  const rows = figures.flatMap(({ matrix: { title, rows, columns, values } }) =>
    Array.from(values, (value, cell) => {
      const [row, column] = [Math.floor(cell / columns.count), cell % columns.count];
      const number = value === -Infinity ? "-inf" : Number(value.toPrecision(7));
      return [title, row + 1, rows.labels?.[row] ?? "", column + 1, columns.labels?.[column] ?? "", number];
    }),
  );
  const comments = figures.map(({ matrix }) => `${matrix.title}: ${wordsOf(matrix)}`);
  return csvText(comments, "matrix,row,row_label,column,column_label,value", rows);
}
