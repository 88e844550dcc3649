// @ts-check
// What is saved of the grid: the large picture with title, axes and legend, or its numbers.

import { weightTicks } from "../shared/legend.js";
import { isMasked, matrixLayout } from "../shared/matrix.js";
import { drawMatrixFile, FILE, filePaper } from "../shared/paper.js";
import { csvText } from "../shared/save.js";
import { LABEL, LARGEST } from "../shared/sizes.js";
import { drawLines, FAINTEST, linesLayout, THICK } from "./lines.js";
import { headsOn } from "./picks.js";
import { axisWords, legendWords, whereText } from "./words.js";

/** @import { DrawnHead, Theme, Ui } from "./types.js" */

/** @param {Ui} ui */
export const gridFiles = (ui) => ({ name: () => fileName(ui), svg: () => pictureSvg(ui), csv: () => numbersCsv(ui) });

/** @param {Ui} ui */
function fileName({ choice: { panel, layer, head }, picks, view }) {
  const heads = picks.length > 1 ? `${picks.length}-heads` : `layer-${layer + 1}-head-${head + 1}`;
  return `regard-${panel.kind}-${heads}${{ heatmap: "", lines: "-lines", across: "-lines-across" }[view]}`;
}

/**
 * The picture between title, axes and legend. It is laid out anew, so that the window does not matter to the file and
 * every label has room.
 * @param {Ui} ui
 */
function pictureSvg(ui) {
  const theme = { ...ui.theme, font: FILE.font };
  const paper = filePaper(theme);
  const { context } = paper;
  const heads = headsOn(ui);
  const picture = ui.view === "heatmap" ? heatmapFile(ui, theme, context) : linesFile(ui, theme, context, heads);
  const width = Math.max(Math.ceil(picture.width), FILE.narrowest);
  paper.paragraph(whereText(ui), width, 16);
  if (heads.length > 1 && !picture.named.length) paper.paragraph(heads.map(({ name }) => name).join("; "), width);
  axisWords(ui).forEach((words) => paper.paragraph(words, width));
  paper.y += 8;
  picture.draw(paper.y);
  paper.y += Math.ceil(picture.height) + 16;
  let x = 0;
  for (const { name, colour, dash } of picture.named) {
    const wide = 34 + paper.width(name);
    if (x && x + wide > width) [x, paper.y] = [0, paper.y + 18];
    stroke(context, colour, dash, x, paper.y + 8);
    paper.text(name, x + 34, paper.y + 8);
    x += wide + 18;
  }
  if (x) paper.y += 28;
  picture.scale(paper);
  legendWords(ui).forEach((words) => paper.paragraph(words, width));
  return paper.document(whereText(ui), width);
}

/** @param {Ui} ui @param {Theme} theme @param {any} context */
function heatmapFile(ui, theme, context) {
  const { panel } = ui.choice;
  const labels = 2 * LABEL.longest;
  const room = Math.max(FILE.room, FILE.cell * panel.keys.length + labels);
  const most = { ...LARGEST, height: Math.max(LARGEST.height, FILE.cell * panel.queries.length) };
  const layout = matrixLayout({ context, font: FILE.font }, panel, room, 1, most);
  return {
    width: layout.left + layout.widthPx + layout.right,
    height: layout.top + layout.heightPx,
    named: [], // colours of heads mean nothing here
    draw: (y) => drawMatrixFile(theme, context, panel, ui.levelsShown, layout, layout.left, layout.top + y),
    scale: (paper) => paper.scale(theme.ramp, weightTicks()),
  };
}

/** @param {Ui} ui @param {Theme} theme @param {any} context @param {DrawnHead[]} heads */
function linesFile(ui, theme, context, heads) {
  const { panel } = ui.choice;
  const layout = linesLayout({ context, font: FILE.font }, panel, heads.length, ui.view === "across", FILE.room);
  return {
    width: layout.width,
    height: layout.height,
    named: heads,
    draw(y) {
      context.save();
      context.translate(0, y);
      drawLines(theme, context, panel, heads, layout, null, ui.levels);
      context.restore();
    },
    scale(paper) {
      [FAINTEST, 0.25, 0.5, 0.75, 1].forEach((weight, at) => {
        context.globalAlpha = weight;
        stroke(context, theme.text, [], at * 90, paper.y + 12);
        context.globalAlpha = 1;
        paper.text(String(weight), at * 90 + 34, paper.y + 12);
      });
      paper.y += 38;
    },
  };
}

/**
 * A sample of a head's line, for the legend.
 * @param {any} context
 * @param {string} colour
 * @param {number[]} dash
 * @param {number} x
 * @param {number} y
 */
function stroke(context, colour, dash, x, y) {
  Object.assign(context, { strokeStyle: colour, lineWidth: THICK });
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 28, y);
  context.stroke();
  context.setLineDash([]);
}

/**
 * Every weight that the large picture is made of; cells that the mask forbids are left out.
 * @param {Ui} ui
 */
function numbersCsv(ui) {
  const { panel } = ui.choice;
  const columns = panel.keys.length;
  const rows = [];
  for (const { layer, head, levels } of headsOn(ui)) {
    panel.queries.forEach((query, row) =>
      panel.keys.forEach((key, column) => {
        if (isMasked(panel, row, column)) return;
        const weight = Number(((levels[row * columns + column] / ui.levels) ** 2).toFixed(6));
        rows.push([layer + 1, head + 1, row + 1, query, column + 1, key, weight]);
      }),
    );
  }
  const comments = [whereText(ui), `query = ${panel.queryWord}, key = ${panel.keyWord}`, ui.texts.precision];
  return csvText(comments, "layer,head,query_position,query,key_position,key,weight", rows);
}
