// @ts-check
// What the pointer and the arrow keys read off the tiles and off the large picture.

import { shown, within } from "../shared/format.js";
import { band, hit, isMasked, place } from "../shared/matrix.js";
import { drawLines, placeOf, wordUnder } from "./lines.js";
import { headOf, largestCell } from "./panels.js";
import { headsOn } from "./picks.js";
import { line, pieceLine, tellAbout, weightText, whereText, wording } from "./words.js";

/** @import { Cell, Focus, Head, Panel, Plate, Spot, Ui } from "./types.js" */

/** @param {Ui} ui @param {Plate} plate */
export function watchPointer(ui, plate) {
  plate.element.onpointermove = plate.element.onpointerdown = (event) => hover(ui, plate, event);
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  plate.element.onpointerleave = (event) => event.pointerType !== "touch" && unhover(ui, plate);
}

/** @param {Ui} ui @param {Plate} plate @param {PointerEvent} event */
function hover(ui, plate, event) {
  const large = plate === ui.large;
  if (large && ui.view !== "heatmap") return focusOn(ui, wordUnder(plate, ui.lines, event));
  const found = hit(plate, event);
  unhover(ui, plate);
  if (!found) return undefined;
  const head = large ? ui.choice : { panel: plate.panel, layer: found.layer, head: found.head };
  if (!large) tellAbout(ui, head);
  if (!found.cell) return undefined;
  const levels = large ? ui.levelsShown : headOf(head.panel, head.layer, head.head);
  return pointAt(ui, plate, head, largestCell(head.panel, levels, found.cell), event);
}

/**
 * Marks a cell by lines through it, and tells its weight beside a place on the screen.
 * @param {Ui} ui
 * @param {Plate} plate
 * @param {Head} head
 * @param {Cell & { level: number }} cell
 * @param {Spot} at
 */
function pointAt(ui, plate, head, cell, at) {
  const large = plate === ui.large;
  const scale = devicePixelRatio;
  const left = (plate.left + (large ? 0 : head.head * plate.pitchX)) / scale;
  const top = (plate.top + (large ? 0 : head.layer * plate.pitchY)) / scale;
  const width = plate.tile.width / scale;
  const height = plate.tile.height / scale;
  const cellHeight = height / plate.panel.queries.length;
  const cellWidth = width / plate.panel.keys.length;
  const [rowTop, rowHeight] = band(top + cell.query * cellHeight, cellHeight);
  const [columnLeft, columnWidth] = band(left + cell.key * cellWidth, cellWidth);
  place(plate.row, large ? 0 : left, rowTop, large ? left + width : width, rowHeight);
  place(plate.column, columnLeft, large ? 0 : top, columnWidth, large ? top + height : height);
  showTip(ui, plate.panel, large ? whereText(ui) : wording(ui, head), cell, at);
}

/** @param {Ui} ui @param {Plate} plate */
export function unhover(ui, plate) {
  plate.row.hidden = plate.column.hidden = true;
  ui.find(".tip").hidden = true;
  if (plate === ui.large) focusOn(ui, (ui.cell = null));
  else tellAbout(ui, ui.cursor);
}

/**
 * @param {Ui} ui
 * @param {Panel} panel
 * @param {string} where
 * @param {Cell & { level: number }} cell
 * @param {Spot} at
 */
function showTip(ui, panel, where, { query, key, level }, at) {
  const tip = ui.find(".tip");
  const impossible = isMasked(panel, query, key);
  const head = Object.assign(document.createElement("div"), { className: "head", textContent: where });
  tip.replaceChildren(
    head,
    pieceLine(ui, panel, 0, query),
    pieceLine(ui, panel, 1, key),
    impossible ? line("", panel.hidden) : line(ui.texts.weight, weightText(ui, level)),
  );
  tip.hidden = false;
  const box = ui.root.getBoundingClientRect();
  const x = at.clientX - box.left;
  const y = at.clientY - box.top;
  const left = x + 16 + tip.offsetWidth > box.width ? x - 16 - tip.offsetWidth : x + 16;
  const below = at.clientY + 16 + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
  tip.style.top = `${below ? y + 16 : y - 12 - tip.offsetHeight}px`;
}

/** @param {Ui} ui @param {Pick<Plate, "canvas" | "context">} plate @param {Focus | null} [focus] */
export function paintLines(ui, { canvas, context }, focus = null) {
  context.fillStyle = ui.theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.scale(devicePixelRatio, devicePixelRatio);
  drawLines(ui.theme, context, ui.choice.panel, headsOn(ui), ui.lines, focus, ui.levels);
  context.restore();
}

/**
 * Shows only the lines of one word in the large picture, with their numbers; null brings all of them back.
 * @param {Ui} ui
 * @param {Focus | null} focus
 */
function focusOn(ui, focus) {
  if (String([focus?.side, focus?.index]) === String([ui.focus?.side, ui.focus?.index])) return;
  ui.focus = focus;
  if (focus) paintLines(ui, ui.single, focus);
  ui.single.canvas.hidden = !focus;
  tellWord(ui);
}

/**
 * The line below the large picture: the word that is pointed at, in full, or what one can do.
 * @param {Ui} ui
 */
export function tellWord(ui) {
  const { panel } = ui.choice;
  const hint = ui.view === "heatmap" ? ui.texts.heatmap_hint : ui.texts.lines_hint;
  ui.find(".word").replaceChildren(ui.focus ? pieceLine(ui, panel, ui.focus.side, ui.focus.index) : hint);
}

/**
 * Arrow keys in the large picture go from cell to cell, or along the words and from side to side.
 * @param {Ui} ui
 * @param {KeyboardEvent} event
 */
export function onLargeKey(ui, event) {
  if (!ui.choice || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") unhover(ui, ui.large);
  const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const { queries, keys } = ui.choice.panel;
  if (!way || !queries.length || !keys.length) return;
  const [down, right] = way;
  event.preventDefault();
  const limited = (index, count) => within(index, 0, count - 1);
  if (ui.view === "heatmap") {
    const { query, key } = ui.cell ?? { query: -down, key: -right }; // the first step shows the first cell
    readCell(ui, limited(query + down, queries.length), limited(key + right, keys.length));
  } else {
    const [along, over] = ui.view === "across" ? [right, down] : [down, right];
    const { side, index } = ui.focus ?? { side: 0, index: -along };
    const to = limited(side + over, 2);
    const next = limited(index + along, to ? keys.length : queries.length);
    reveal(ui, placeOf(ui.lines, (next + 0.5) * ui.lines.pitch, to ? ui.lines.span : 0));
    focusOn(ui, { side: to, index: next });
    ui.find(".live").textContent = `${ui.find(".word").textContent}. ${heaviest(ui)}`;
  }
}

/** @param {Ui} ui @param {number} query @param {number} key */
function readCell(ui, query, key) {
  const { large } = ui;
  const { queries, keys } = large.panel;
  const middle = (start, size, index, count) => (start + (size * (index + 0.5)) / count) / devicePixelRatio;
  const x = middle(large.left, large.tile.width, key, keys.length);
  const y = middle(large.top, large.tile.height, query, queries.length);
  reveal(ui, [x, y]);
  const box = large.canvas.getBoundingClientRect();
  const level = ui.levelsShown[query * keys.length + key];
  pointAt(ui, large, ui.choice, { query, key, level }, { clientX: box.left + x, clientY: box.top + y });
  ui.cell = { query, key };
  ui.find(".live").textContent = [...ui.find(".tip").children].map((row) => row.textContent).join(". ");
}

/**
 * Scrolls a place of the large picture into sight.
 * @param {Ui} ui
 * @param {number[]} place
 */
function reveal(ui, [x, y]) {
  const { chosen } = ui.large;
  place(chosen, x - 40, y - 40, 80, 80);
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  chosen.hidden = true;
}

/**
 * For screen readers: the three words to which the lines of the chosen head lead, if there are any.
 * @param {Ui} ui
 */
function heaviest(ui) {
  const { panel, layer, head } = ui.choice;
  const { side, index } = ui.focus;
  const levels = headOf(panel, layer, head);
  const columns = panel.keys.length;
  const others = (side ? panel.queries : panel.keys).map((label, other) => ({
    label: shown(label),
    level: levels[side ? other * columns + index : index * columns + other],
  }));
  const first = others.filter(({ level }) => level).sort((one, other) => other.level - one.level);
  const said = first.slice(0, 3).map(({ label, level }) => `${label} ${weightText(ui, level)}`);
  return said.join(", ");
}
