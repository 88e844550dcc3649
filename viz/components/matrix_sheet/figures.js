// @ts-check
// The elements of a matrix: its name, words, cells and scale.

import { make } from "../shared/dom.js";
import { fill } from "../shared/format.js";
import { offerSaving } from "../shared/save.js";
import { showMarks } from "./draw.js";
import { paint } from "./paint.js";
import { cellAt, enlarge, onKey, point, pointAt } from "./pointing.js";
import { sheetFiles } from "./save.js";

/** @import { Figure, Matrix, Ui } from "./types.js" */

/** @param {Ui} ui */
function createFigure(ui) {
  const figure = {
    sign: make("span", { className: "sign" }),
    title: make("b"),
    shape: make("span", { className: "shape" }),
    button: make("button", { type: "button" }),
    rows: make("span", { className: "rows" }),
    columns: make("span", { className: "columns" }),
    part: make("i"),
    canvas: make("canvas"),
    marks: make("div", { className: "marks" }),
    ramp: make("canvas", { className: "ramp", ariaHidden: "true" }),
    ends: [make("span"), make("span")],
    note: make("p", { className: "note" }),
    cursor: { row: 0, column: 0 },
  };
  figure.context = figure.canvas.getContext("2d");
  figure.view = make("div", { className: "view" }, figure.canvas, figure.marks);
  figure.inner = make("div", {}, figure.view);
  figure.plate = make("div", { className: "plate", tabIndex: 0, role: "application" }, figure.inner);
  figure.element = make(
    "div",
    { className: "item" },
    figure.sign,
    make(
      "figure",
      {},
      make("p", { className: "name" }, figure.title, figure.shape, figure.button),
      make("p", { className: "note axes" }, figure.rows, figure.columns),
      make("div", { className: "part" }, figure.part),
      figure.plate,
      make("div", { className: "scale" }, figure.ends[0], figure.ramp, figure.ends[1]),
      figure.note,
    ),
  );
  const { plate } = figure;
  figure.button.onclick = () => enlarge(ui, ui.large === figure ? null : figure);
  plate.onclick = () => ui.large !== figure && enlarge(ui, figure);
  plate.onpointermove = plate.onpointerdown = (event) => pointAt(ui, figure, cellAt(figure, event));
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  plate.onpointerleave = (event) => event.pointerType !== "touch" && point(ui, figure, null);
  plate.onblur = () => point(ui, figure, null);
  plate.onscroll = () => ui.large === figure && (paint(ui, figure), showMarks(ui));
  plate.onkeydown = (event) => onKey(ui, figure, event);
  return figure;
}

/**
 * A figure for each matrix; those that are there already stay, and with them the focus.
 * @param {Ui} ui
 */
export function buildFigures(ui) {
  while (ui.figures.length < ui.matrices.length) ui.figures.push(createFigure(ui));
  ui.figures.length = ui.matrices.length;
  if (!ui.figures.includes(ui.large)) ui.large = null;
  const nodes = ui.figures.flatMap((figure, at) => {
    fillFigure(ui, figure, ui.matrices[at]);
    return ui.matrices[at].breaks ? [make("div", { className: "break" }), figure.element] : [figure.element];
  });
  nodes.push(ui.save);
  offerSaving(ui.save, ui.texts.save, sheetFiles(ui));
  const box = ui.find(".matrices");
  const same = nodes.length === box.children.length && ui.figures.every(({ element }) => box.contains(element));
  if (!same) box.replaceChildren(...nodes);
}

/** @param {Ui} ui @param {Figure} figure @param {Matrix} matrix */
function fillFigure(ui, figure, matrix) {
  const { texts } = ui;
  const { rows, columns, part } = matrix;
  const [name, lower] = matrix.title.split("_");
  figure.matrix = matrix;
  figure.sign.textContent = matrix.sign;
  figure.title.replaceChildren(name, ...(lower ? [make("sub", { textContent: lower })] : []));
  figure.shape.textContent = `${rows.count} × ${columns.count}`;
  figure.rows.textContent = rows.word;
  figure.columns.textContent = columns.word;
  figure.note.textContent = matrix.note;
  figure.note.hidden = !matrix.note;
  const about = fill(texts.about, { title: matrix.title, rows: rows.word, columns: columns.word });
  figure.plate.ariaLabel = `${about} ${matrix.note} ${texts.aria}`;
  figure.cursor = { row: 0, column: 0 };
  const larger = part && part[2] !== columns.count; // else the part is marked on the cells themselves
  figure.part.parentElement.hidden = !larger;
  if (larger) {
    const [left, width] = [part[0], part[1] - part[0]].map((count) => `${(100 * count) / part[2]}%`);
    Object.assign(figure.part.style, { left, width });
  }
  const marks = [];
  for (const [along, axis] of Object.entries({ row: rows, column: columns })) {
    for (const name of axis.names) {
      for (const state of ["chosen", "pointed"]) {
        const look = state === "chosen" ? `mark chosen ${name}` : `mark ${along}`;
        marks.push({ along, name, state, element: make("div", { className: look, hidden: true }) });
      }
    }
  }
  figure.places = marks;
  figure.marks.replaceChildren(...marks.map(({ element }) => element));
}
