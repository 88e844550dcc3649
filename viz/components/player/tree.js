// @ts-check
// The tree of what a beam considered.

import { makeSvg, writeSentence } from "../shared/dom.js";
import { cut, fill, percent, shown, signed } from "../shared/format.js";

/** @import { PlacedBranch, Ui } from "./types.js" */

const TOP = 26; // of the tree's first row, below the numbers of the steps
const ROW = 37; // of the tree; a box is BOX high
const BOX = 31;
const GAP = 26; // between columns of the tree

/**
 * Places all branches: steps are columns as wide as their longest piece, from the top by rank.
 * @param {Ui} ui
 */
function placeBranches(ui) {
  const { branches } = ui.tree;
  const { context } = ui.plates[0];
  const columns = [];
  const placed = [];
  branches.forEach(([parent, label, logProb, total, fate], at) => {
    const step = parent < 0 ? 0 : placed[parent].step + 1;
    const column = (columns[step] ??= []);
    placed.push({ parent, label: shown(label), logProb, total, fate, step, y: TOP + column.length * ROW });
    column.push(at);
  });
  context.font = `700 13px ${ui.theme.font}`;
  let x = 10;
  ui.columns = columns.map((column) => {
    const labels = column.map((at) => cut(context, placed[at].label, 150));
    const width = Math.ceil(Math.max(44, ...labels.map((text) => context.measureText(text).width + 14)));
    column.forEach((at, row) => Object.assign(placed[at], { x, width, text: labels[row] }));
    const box = { x: x - GAP / 2, width: width + GAP };
    x += width + GAP;
    return box;
  });
  const rows = Math.max(...columns.map((column) => column.length));
  return { placed, width: x - GAP + 10, height: TOP + rows * ROW };
}

/** @param {Ui} ui */
export function buildTree(ui) {
  ui.find(".tree").hidden = !ui.tree;
  ui.columns = [];
  if (!ui.tree) return;
  const { texts, tree } = ui;
  ui.find(".tree h3").textContent = fill(texts.tree, { beam: tree.beam });
  ui.find(".tree .note").textContent = fill(texts.tree_says, { beam: tree.beam });
  ui.find(".box").ariaLabel = texts.tree_aria;
  const { placed, width, height } = placeBranches(ui);
  const best = new Set(tree.best);
  const name = (at) => `${placed[at].fate}${best.has(at) ? " best" : ""}`;
  const bands = ui.columns.map(({ x, width: breadth }) =>
    makeSvg("rect", { class: "column", x, y: 0, width: breadth, height }),
  );
  const numbers = ui.columns.map(({ x, width: breadth }, step) => {
    const number = makeSvg("text", { class: "number", x: x + breadth / 2, y: 16, "text-anchor": "middle" });
    number.textContent = String(step + 1);
    return number;
  });
  ui.edges = placed.map(({ parent, x, y }, at) => {
    if (parent < 0) return null;
    const from = placed[parent];
    const [x1, y1, y2] = [from.x + from.width, from.y + BOX / 2, y + BOX / 2];
    const middle = (x1 + x) / 2;
    return makeSvg("path", { class: name(at), d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x},${y2}` });
  });
  ui.nodes = placed.map(({ x, y, width: breadth, text, total, fate }, at) => {
    const piece = makeSvg("text", { class: "piece", x: x + breadth / 2, y: y + 14, "text-anchor": "middle" });
    piece.textContent = fate === "finished" ? `${text} ✓` : text;
    const sum = makeSvg("text", { class: "total", x: x + breadth / 2, y: y + 26, "text-anchor": "middle" });
    sum.textContent = signed(total, 2);
    const frame = makeSvg("rect", { class: "frame", x, y, width: breadth, height: BOX, rx: 5 });
    return makeSvg("g", { class: `branch ${name(at)}`, "data-at": at }, frame, piece, sum);
  });
  // The result is drawn last, so that it lies on top.
  const ordered = (list) => [...list.filter((_, at) => !best.has(at)), ...list.filter((_, at) => best.has(at))];
  const edges = ordered(ui.edges).filter(Boolean);
  const svg = makeSvg("svg", { width, height, role: "img", "aria-label": treeText(ui, placed) });
  svg.append(...bands, ...numbers, ...edges, ...ordered(ui.nodes));
  ui.find(".box").replaceChildren(svg);
  ui.placed = placed;
  ui.bands = bands;
  pointBranch(ui, null);
}

/** @param {Ui} ui @param {PlacedBranch[]} placed */
const treeText = (ui, placed) =>
  fill(ui.texts.tree_text, { count: placed.length, pieces: ui.tree.best.map((at) => placed[at].label).join(" ") });

/** @param {Ui} ui */
export function drawColumn(ui) {
  if (!ui.tree) return;
  ui.bands.forEach((column, step) => column.classList.toggle("now", step === ui.step));
  const box = ui.find(".box");
  const { x, width } = ui.columns[ui.step];
  if (x < box.scrollLeft) box.scrollLeft = x - 40;
  else if (x + width > box.scrollLeft + box.clientWidth) box.scrollLeft = x + width + 40 - box.clientWidth;
}

/**
 * Marks the way from the beginning to a branch, and reads the branch out.
 * @param {Ui} ui
 * @param {HTMLElement | null} node
 */
export function pointBranch(ui, node) {
  if (!ui.tree) return;
  for (const each of [...ui.nodes, ...ui.edges]) each?.classList.remove("pointed");
  const reading = ui.find(".node");
  if (!node) {
    reading.textContent = ui.texts.tree_hint;
    return;
  }
  const at = Number(node.dataset.at);
  const way = [];
  for (let each = at; each >= 0; each = ui.placed[each].parent) way.unshift(each);
  for (const each of way) for (const part of [ui.nodes[each], ui.edges[each]]) part?.classList.add("pointed");
  const { label, logProb, total, fate } = ui.placed[at];
  const fates = { alive: ui.texts.alive, finished: ui.texts.finished, dropped: ui.texts.dropped };
  writeSentence(reading, `${ui.texts.node} ${fates[fate]}`, {
    piece: label,
    probability: percent(Math.exp(logProb)),
    total: signed(total, 2),
    way: way.map((each) => ui.placed[each].label).join(" "),
  });
}

/** @param {Ui} ui @param {HTMLElement | null} node */
export function onBranch(ui, node) {
  if (!node) return;
  pointBranch(ui, node);
  ui.stepper.choose(Math.min(ui.placed[Number(node.dataset.at)].step, ui.predicted.length - 1));
}
