// @ts-check
// What is saved of the player: the two views and the next pieces of the step that is shown, or their numbers; and the
// tree.

import { hex, packed, rgb } from "../shared/colours.js";
import { cut, fill, percent, shown } from "../shared/format.js";
import { weightTicks } from "../shared/legend.js";
import { matrixLayout } from "../shared/matrix.js";
import { drawMatrixFile, FILE, filePaper } from "../shared/paper.js";
import { csvText } from "../shared/save.js";
import { LABEL } from "../shared/sizes.js";
import { FORBIDDEN } from "../shared/svg.js";
import { AVERAGE, BETWEEN, CHOICE, MOST, NARROWEST, PALE, shownView } from "./views.js";

/** @import { Paper } from "../shared/types.js" */
/** @import { Theme, Ui } from "./types.js" */

/** @param {Ui} ui */
export const stepFiles = (ui) => ({
  name: () => `regard-step-${ui.step + 1}`,
  svg: () => stepSvg(ui),
  csv: () => stepCsv(ui),
});

/** @param {Ui} ui */
export const treeFiles = (ui) => ({
  name: () => `regard-beam-${ui.tree.beam}`,
  svg: () => treeSvg(ui),
  csv: () => treeCsv(ui),
});

/** @param {Ui} ui */
function stepSvg(ui) {
  const theme = { ...ui.theme, font: FILE.font };
  const paper = filePaper(theme);
  const { context } = paper;
  const { texts } = ui;
  const shownViews = ui.views.map((_, at) => shownView(ui, at));
  const longest = Math.max(...shownViews.map(({ panel }) => panel.keys.length));
  const room = Math.max(FILE.room / 2, FILE.cell * longest + 2 * LABEL.longest);
  const most = { ...MOST, height: Math.max(MOST.height, FILE.cell * longest) };
  const pen = { context, font: FILE.font };
  const fit = (limits) => shownViews.map(({ panel }) => matrixLayout(pen, panel, room, 1, limits));
  const layouts = fit({ ...most, cell: Math.min(...fit(most).map(({ cellPx }) => cellPx)) + 0.01 });
  const top = Math.max(...layouts.map((layout) => layout.top));
  const parts = shownViews.map((each, at) => ({
    ...each,
    layout: layouts[at],
    x: 0,
    title: at ? texts.across : texts.back,
    says: at ? texts.across_says : texts.back_says,
    breadth: Math.max(layouts[at].left + layouts[at].widthPx + layouts[at].right, NARROWEST),
  }));
  let width = -BETWEEN;
  for (const part of parts) [part.x, width] = [width + BETWEEN, width + BETWEEN + part.breadth];
  const choice = width + BETWEEN;
  width = choice + CHOICE;
  paper.paragraph(stepTitle(ui), width, 16);
  paper.paragraph(whichText(ui), width);
  paper.y += 8;
  const start = paper.y;
  const feet = parts.map(({ title, says, breadth, x }) => {
    paper.y = start;
    paper.paragraph(title, breadth, 15, x);
    paper.paragraph(says, breadth, 12, x);
    return paper.y;
  });
  paper.y = start;
  drawOptionsFile(ui, paper, theme, choice);
  const foot = paper.y;
  paper.y = Math.max(...feet) + top;
  for (const { panel, seen, layout, x, grows } of parts) {
    drawMatrixFile(theme, context, panel, seen, layout, x + layout.left, paper.y);
    const row = paper.y + layout.cellPx * ui.step;
    if (!grows) {
      Object.assign(context, { fillStyle: theme.background, globalAlpha: PALE });
      context.fillRect(x + layout.left, paper.y, layout.cellPx * panel.keys.length, row - paper.y);
      context.globalAlpha = 1;
    }
    Object.assign(context, { strokeStyle: theme.primary, lineWidth: 2 });
    context.strokeRect(x, row - 1, layout.left + layout.cellPx * panel.keys.length + 1, layout.cellPx + 2);
  }
  paper.y = Math.max(foot, paper.y + layouts[0].cellPx * (ui.step + 1)) + 20;
  paper.scale(theme.ramp, weightTicks());
  paper.paragraph(texts.legend_saved, width);
  return paper.document(stepTitle(ui), width);
}

/** @param {Ui} ui */
const stepTitle = (ui) => `${ui.stepper.text()}\u2003${ui.said}`;

/** @param {Ui} ui */
const whichText = ({ texts, layer, head }) =>
  `${texts.layer} ${layer + 1}\u2003${texts.head} ${head === AVERAGE ? texts.average : head + 1}`;

/**
 * The most probable next pieces, each with its bar.
 * @param {Ui} ui
 * @param {Paper} paper
 * @param {Theme} theme
 * @param {number} x
 */
function drawOptionsFile(ui, paper, theme, x) {
  const { context } = paper;
  paper.paragraph(ui.texts.choice, CHOICE, 15, x);
  paper.paragraph(ui.texts.choice_saved, CHOICE, 12, x);
  for (const [label, , probability, taken] of ui.options[ui.step]) {
    const y = paper.y + 8;
    context.font = `12px ${FILE.font}`;
    paper.text(`${cut(context, shown(label), 110)}${taken ? " ✓" : ""}`, x, y);
    context.fillStyle = theme.border;
    context.fillRect(x + 130, y - 4, 110, 8);
    context.fillStyle = theme.primary;
    context.fillRect(x + 130, y - 4, 110 * probability, 8);
    paper.text(percent(probability), x + CHOICE, y, 12, "right");
    paper.y += 22;
  }
}

/**
 * The weights of the chosen head, or of its layer's average, up to the step that is shown.
 * @param {Ui} ui
 */
function stepCsv(ui) {
  const rows = ui.views.flatMap(({ keys, grows }, at) =>
    ui.predicted.slice(0, ui.step + 1).flatMap((query, row) =>
      (grows ? keys.slice(0, row + 1) : keys).map((key, column) => {
        const weight = (ui.shownLevels[at][row * keys.length + column] / ui.levels) ** 2;
        return [grows ? "decoder" : "cross", row + 1, query, column + 1, key, Number(weight.toFixed(6))];
      }),
    ),
  );
  const comments = [stepTitle(ui), whichText(ui), ui.texts.legend_saved];
  return csvText(comments, "attention,step,predicted,position,piece,weight", rows);
}

/**
 * The tree as it is drawn, with the colours and sizes that its style sheet gives it.
 * @param {Ui} ui
 */
function treeSvg(ui) {
  const theme = { ...ui.theme, font: FILE.font };
  const paper = filePaper(theme);
  const tree = ui.find(".tree svg");
  const copy = tree.cloneNode(true);
  const looks = ["stroke-width", "stroke-dasharray", "font-size", "font-weight", "opacity"];
  const copies = [...copy.querySelectorAll("*")];
  for (const [at, node] of [...tree.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(node);
    const value = (name) => style.getPropertyValue(name);
    if (node.matches(".finished .frame")) copies[at].setAttribute("rx", 14);
    for (const name of looks) copies[at].setAttribute(name, value(name).replace("px", ""));
    for (const name of ["fill", "stroke"]) {
      const none = value(name) === "none" || value(name) === "rgba(0, 0, 0, 0)";
      copies[at].setAttribute(name, none ? "none" : hex(packed(rgb(value(name)))));
    }
  }
  copy.querySelectorAll(".column").forEach((column) => column.remove()); // the step that is shown just now
  const [wide, high] = ["width", "height"].map((side) => Number(tree.getAttribute(side)));
  const width = Math.max(wide, FILE.narrowest);
  const title = fill(ui.texts.tree, { beam: ui.tree.beam });
  paper.paragraph(title, width, 16);
  copy.setAttribute("x", FILE.margin);
  copy.setAttribute("y", paper.y);
  paper.context.insert(new XMLSerializer().serializeToString(copy).replace(FORBIDDEN, "\ufffd"));
  paper.y += high + 10;
  paper.paragraph(fill(ui.texts.tree_says, { beam: ui.tree.beam }), width);
  return paper.document(title, width);
}

/** @param {Ui} ui */
function treeCsv(ui) {
  const rows = ui.placed.map(({ parent, label, step, logProb, total, fate }, at) => [
    at + 1,
    parent < 0 ? "" : parent + 1,
    step + 1,
    label,
    logProb,
    total,
    fate,
  ]);
  return csvText([fill(ui.texts.tree, { beam: ui.tree.beam })], "branch,after,step,piece,log_prob,total,fate", rows);
}
