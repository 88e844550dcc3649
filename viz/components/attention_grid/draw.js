// @ts-check
// Draws the grid: the overview, the heads that are chosen, large, and the words around them.

import { mix, packed, readTheme, rgb } from "../shared/colours.js";
import { showMessage } from "../shared/dom.js";
import { fill } from "../shared/format.js";
import { drawTicks, paintStrip, TICKS } from "../shared/legend.js";
import { reportDrawn } from "../shared/lifecycle.js";
import { drawMatrix, matrixLayout, sizeCanvas } from "../shared/matrix.js";
import { offerSaving } from "../shared/save.js";
import { typed, WIDE } from "../shared/sizes.js";
import { FAINTEST, linesLayout, SMALLEST } from "./lines.js";
import { drawBlock, drawCursor, outline, roomForTiles } from "./overview.js";
import { average, isSame } from "./panels.js";
import { headsOn, mostPicks } from "./picks.js";
import { paintLines, tellWord, unhover } from "./reading.js";
import { gridFiles } from "./save.js";
import { axisWords, legendWords, nameOf, whereText, wording } from "./words.js";

/** @import { DrawnHead, Ui } from "./types.js" */

/** @param {Ui} ui */
export function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.palette) return undefined; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.palette, ui.levels);
  ui.tileFont = typed(11);
  showMessage(ui, ui.choice ? "" : ui.texts.nothing);
  if (!ui.choice) return reportDrawn(ui);
  ui.root.classList.toggle("wide", width >= WIDE);
  const room = roomForTiles(ui, width);
  for (const plate of ui.blocks) drawBlock(ui, plate, room);
  // The overview is as wide as its tiles, so that the help line breaks and the chosen head gets the rest.
  const overview = Math.max(...ui.blocks.map((plate) => plate.element.offsetWidth), 240);
  ui.find(".overview").style.width = width >= WIDE ? `${overview}px` : "";
  for (const plate of ui.blocks) plate.element.parentElement.style.maxWidth = `${Math.max(overview, 240)}px`;
  return drawChoice(ui);
}

/**
 * What depends on the picks and the view alone: outlines, the large picture, the words and the data attributes.
 * @param {Ui} ui
 */
export function drawChoice(ui) {
  const { panel, layer, head } = ui.choice;
  const heads = headsOn(ui);
  for (const plate of ui.blocks) {
    const outlines = plate.panel === panel ? heads.map((each) => outline(plate, each)) : [];
    plate.outlines.replaceChildren(...outlines);
  }
  drawCursor(ui);
  drawHeads(ui, heads);
  drawWords(ui);
  drawLegend(ui, heads);
  drawLarge(ui, heads);
  const on = ui.picks.map((pick) => `${pick.layer}.${pick.head}`).join(" ");
  Object.assign(ui.root.dataset, { kind: panel.kind, layer, head, heads: on, view: ui.view });
  reportDrawn(ui);
}

/**
 * The picks with their colours, each a button that takes it off; the one that the page follows stands out.
 * @param {Ui} ui
 * @param {DrawnHead[]} heads
 */
function drawHeads(ui, heads) {
  const chips = heads.map((each) => {
    const chip = Object.assign(document.createElement("button"), { type: "button" });
    const sample = chip.appendChild(document.createElement("i"));
    Object.assign(sample.style, { borderTopColor: each.colour, borderTopStyle: each.border });
    chip.append(each.name);
    chip.ariaCurrent = String(isSame(each, ui.choice));
    chip.ariaDisabled = String(heads.length === 1); // not `disabled`, which would take the focus away
    chip.title = heads.length === 1 ? "" : fill(ui.texts.remove, { head: each.name });
    return chip;
  });
  ui.find(".heads").replaceChildren(...chips);
  ui.find(".only").ariaDisabled = String(heads.length === 1);
}

/** @param {Ui} ui */
function drawWords(ui) {
  const { texts, find, choice } = ui;
  const say = (selector, text) => (find(selector).textContent = text);
  const marks = ui.panels.some((panel) => panel.marks);
  const many = { most: mostPicks(ui), colours: ui.colours.light.length };
  say(".help", [texts.help, fill(texts.help_many, many), marks ? texts.help_marks : ""].join(" "));
  find(".about").hidden = !marks;
  const hidden = ui.panels.find((panel) => panel.reach)?.hidden ?? "";
  find(".hatched").hidden = !hidden;
  say(".hatched span", hidden);
  const where = whereText(ui);
  say(".where", where);
  axisWords(ui).forEach((words, side) => say(side ? ".columns" : ".rows", words));
  find(".axes").classList.toggle("plain", ui.view !== "heatmap");
  find(".blocks").ariaLabel = `${texts.aria} ${wording(ui, choice)}`;
  ui.large.element.ariaLabel = `${where}. ${ui.view === "heatmap" ? texts.aria_heatmap : texts.aria_lines}`;
  const [words, masked] = legendWords(ui);
  const numbers = fill(texts.lines_numbers, { smallest: SMALLEST });
  say(".words", ui.view === "heatmap" ? words : [words, masked, numbers].join(" "));
  const names = { heatmap: texts.heatmap, lines: texts.lines, across: texts.across };
  for (const radio of find(".views").querySelectorAll("input")) {
    radio.checked = radio.value === ui.view;
    radio.nextElementSibling.textContent = names[radio.value];
  }
  find(".views").ariaLabel = texts.view;
  offerSaving(find(".save"), texts.save, gridFiles(ui));
  find(".heads").ariaLabel = texts.heads;
  say(".layer", fill(texts.layer, { layer: choice.layer + 1 }));
  say(".only", fill(texts.only, { head: nameOf(ui, choice) }));
}

/** @param {Ui} ui @param {DrawnHead[]} heads */
function drawLarge(ui, heads) {
  const { panel } = ui.choice;
  const scale = devicePixelRatio;
  const pen = { context: ui.large.context, font: ui.theme.font };
  const room = ui.find(".detail").clientWidth;
  unhover(ui, ui.large);
  tellWord(ui);
  if (ui.view === "heatmap") {
    ui.levelsShown = average(heads);
    drawMatrix(ui.theme, ui.large, panel, ui.levelsShown, matrixLayout(pen, panel, room, scale), scale);
  } else {
    ui.lines = linesLayout(pen, panel, heads.length, ui.view === "across", room);
    for (const plate of [ui.large, ui.single]) {
      sizeCanvas(plate, Math.ceil(ui.lines.width * scale), Math.ceil(ui.lines.height * scale), scale);
    }
    paintLines(ui, ui.large);
  }
  ui.large.canvas.dataset.seq = String(ui.sequence);
}

/**
 * The scale of colours, or that of opacity in the colour of the first head.
 * @param {Ui} ui
 * @param {DrawnHead[]} heads
 */
function drawLegend(ui, [{ colour }]) {
  const { ramp, background, hatchLine, hatchGround } = ui.theme;
  const heatmap = ui.view === "heatmap";
  const ends = [rgb(background), rgb(colour)];
  const faint = (share) => packed(mix(ends[0], ends[1], share < FAINTEST ? 0 : share));
  paintStrip(ui.find(".ramp"), ui.levels + 1, 1, (x) => (heatmap ? ramp[x] : faint(x / ui.levels)));
  paintStrip(ui.find(".swatch"), 18, 12, (x, y) => ((x + y) % 6 < 2 ? hatchLine : hatchGround));
  const ticks = heatmap ? TICKS : [0, 0.25, 0.5, 0.75, 1];
  drawTicks(
    ui.find(".ticks"),
    ticks.map((weight) => [String(weight), heatmap ? Math.sqrt(weight) : weight]),
  );
}
