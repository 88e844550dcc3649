// @ts-check
// Draws the player: the words once for each message, and what a step looks at.

import { readTheme } from "../shared/colours.js";
import { make, showMessage, writeSentence } from "../shared/dom.js";
import { fill, percent, shown, weightDigits } from "../shared/format.js";
import { drawTicks, paintStrip, weightTicks } from "../shared/legend.js";
import { markDrawn } from "../shared/lifecycle.js";
import { band, drawMatrix, matrixLayout, place } from "../shared/matrix.js";
import { offerSaving } from "../shared/save.js";
import { WIDE } from "../shared/sizes.js";
import { remember, remembered, tellLook } from "./memory.js";
import { stepFiles, treeFiles } from "./save.js";
import { buildTree, drawColumn } from "./tree.js";
import { AVERAGE, BETWEEN, CHOICE, levelsOf, MOST, NARROWEST, PALE, shownView } from "./views.js";

/** @import { Option, Range, Ui } from "./types.js" */

/** @param {Ui} ui */
export function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.views) return; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.palette, ui.levels);
  showMessage(ui, "");
  ui.root.style.setProperty("--accent", ui.accent[ui.theme.scheme]);
  ui.root.classList.toggle("wide", width >= WIDE);
  layOut(ui, width);
  paintStrip(ui.find(".ramp"), ui.levels + 1, 1, (x) => ui.theme.ramp[x]);
  drawTicks(ui.find(".ticks"), weightTicks());
  buildTree(ui);
  drawStep(ui);
}

/**
 * Equal cells in both views, so that their rows stand side by side; and room for all steps, so that nothing moves.
 * @param {Ui} ui
 * @param {number} width
 */
function layOut(ui, width) {
  const scale = devicePixelRatio;
  const beside = width >= 2 * NARROWEST + BETWEEN; // else all stands in one column
  const choice = width >= WIDE ? CHOICE + BETWEEN : 0;
  const room = beside ? (width - choice - BETWEEN) / 2 : width;
  const pen = { context: ui.plates[0].context, font: ui.theme.font };
  const fit = (most) =>
    ui.views.map(({ keys }) => matrixLayout(pen, { queries: ui.predicted, keys }, room, scale, most));
  const cell = Math.min(...fit(MOST).map(({ cellPx }) => cellPx));
  ui.layouts = fit({ ...MOST, cell: (cell + 0.01) / scale });
  const top = Math.max(...ui.layouts.map((layout) => layout.top));
  const columns = ui.layouts.map((layout, at) => {
    if (beside) layout.top = top;
    const { style } = ui.plates[at].element;
    const breadth = Math.ceil(layout.left + layout.widthPx / scale + layout.right);
    style.minWidth = `${breadth}px`;
    style.minHeight = `${Math.ceil(layout.top + layout.heightPx / scale + 6)}px`;
    return `${Math.min(Math.max(breadth, NARROWEST), room)}px`;
  });
  ui.root.classList.toggle("beside", beside);
  ui.find(".panels").style.gridTemplateColumns = beside ? `${columns.join(" ")} minmax(0, 1fr)` : "";
}

/**
 * What does not change from step to step.
 * @param {Ui} ui
 */
export function drawWords(ui) {
  const { texts, find } = ui;
  const say = (selector, text) => (find(selector).textContent = text);
  ui.root.ariaLabel = texts.aria;
  say(".speed span", texts.speed);
  const speeds = ui.speeds.map((speed) => make("option", { value: speed, textContent: `${speed}×` }));
  find("select").replaceChildren(...speeds);
  find("select").value = remembered.get(ui.id).speed ?? 1;
  say(".source-name", texts.source);
  say(".target-name", texts.target);
  for (const [panel, title, note] of [
    [".back", texts.back, texts.back_says],
    [".across", texts.across, texts.across_says],
    [".choice", texts.choice, ui.setTriggerValue ? texts.choice_says : texts.choice_saved],
  ]) {
    say(`${panel} h3`, title);
    say(`${panel} .note`, note);
  }
  say(".words", texts.legend);
  say(".marks .forced", texts.forced);
  say(".marks .changed", texts.changed);
  find(".marks").hidden = !ui.forced.length;
  find(".marks .changed").hidden = !ui.changed.length;
  find("ol").style.setProperty("--options", Math.max(...ui.options.map((each) => each.length)));
  buildChips(ui);
  buildButtons(ui);
  offerSaving(find(".which .save"), texts.save, stepFiles(ui));
  offerSaving(find(".tree .save"), texts.save, treeFiles(ui));
}

/** @param {Ui} ui */
function buildChips(ui) {
  const chip = (label) => make("span", { className: "chip", textContent: shown(label) });
  ui.sourceChips = ui.source.map((label, key) => {
    const node = chip(label);
    node.onpointerenter = () =>
      point(ui, 1, [
        [ui.step, ui.step + 1],
        [key, key + 1],
      ]);
    node.onpointerleave = () => point(ui, 1, null);
    return node;
  });
  const beginning = chip(ui.read[0]);
  ui.targetChips = [
    beginning,
    ...ui.predicted.map((label, step) =>
      make("button", { type: "button", textContent: shown(label), onclick: () => ui.stepper.choose(step) }),
    ),
  ];
  ui.find(".source").replaceChildren(...ui.sourceChips);
  ui.find(".target").replaceChildren(...ui.targetChips);
}

/** @param {Ui} ui */
function buildButtons(ui) {
  const group = (selector, name, choices, pick) => {
    const button = ([value, label]) =>
      make("button", { type: "button", textContent: label, value, onclick: () => pick(value) });
    ui.find(selector).ariaLabel = name;
    ui.find(selector).replaceChildren(make("span", { textContent: name }), ...choices.map(button));
  };
  const numbers = (count) => Array.from({ length: count }, (_, at) => [at, String(at + 1)]);
  group(".layers", ui.texts.layer, numbers(ui.layers), (layer) => chooseWeights(ui, { layer }));
  const heads = [[AVERAGE, ui.texts.average], ...numbers(ui.heads)];
  group(".heads", ui.texts.head, heads, (head) => chooseWeights(ui, { head }));
}

/** @param {Ui} ui @param {{ layer?: number, head?: number }} choice */
function chooseWeights(ui, choice) {
  Object.assign(ui, choice);
  remember(ui, choice);
  drawStep(ui);
  tellLook(ui);
}

/**
 * What depends on the step and on the chosen weights.
 * @param {Ui} ui
 */
export function drawStep(ui) {
  const { step, texts, predicted } = ui;
  for (const [selector, chosen] of Object.entries({ ".layers": ui.layer, ".heads": ui.head })) {
    for (const button of ui.find(selector).querySelectorAll("button")) {
      button.ariaPressed = String(Number(button.value) === chosen);
    }
  }
  ui.shownLevels = ui.views.map((view) => levelsOf(ui, view));
  ui.views.forEach((_, at) => drawView(ui, at));
  drawChips(ui);
  ui.find("ol").replaceChildren(...ui.options[step].map((option) => optionItem(ui, option)));
  const taken = ui.options[step].find(([, , , isTaken]) => isTaken);
  ui.said = fill(texts.said, { piece: shown(predicted[step]), probability: taken ? percent(taken[2]) : "" });
  ui.stepper.draw(ui.said);
  point(ui, 0, null);
  drawColumn(ui);
  Object.assign(ui.root.dataset, { step, layer: ui.layer, head: ui.head });
  markDrawn(ui);
}

/**
 * Earlier rows of the source are paled.
 * @param {Ui} ui
 * @param {number} at
 */
function drawView(ui, at) {
  const plate = ui.plates[at];
  const layout = ui.layouts[at];
  const scale = devicePixelRatio;
  const { panel, seen, grows } = shownView(ui, at);
  const size = {
    widthPx: Math.round(layout.cellPx * panel.keys.length),
    heightPx: Math.round(layout.cellPx * panel.queries.length),
  };
  drawMatrix(ui.theme, plate, panel, seen, { ...layout, ...size }, scale);
  const { context, left, top, tile } = plate;
  if (!grows) {
    Object.assign(context, { fillStyle: ui.theme.background, globalAlpha: PALE });
    context.fillRect(left, top, tile.width, Math.round(layout.cellPx * ui.step));
    context.globalAlpha = 1;
  }
  const y = (top + layout.cellPx * ui.step) / scale;
  place(plate.chosen, 0, y - 2, (left + tile.width) / scale + 2, layout.pitch + 4);
}

/**
 * Pieces in the colours of this step's rows; ink that can be read on them.
 * @param {Ui} ui
 */
function drawChips(ui) {
  const { step, source, predicted } = ui;
  const [back, across] = ui.shownLevels;
  const colour = (chip, level) => {
    const packedColour = ui.theme.ramp[level];
    const [red, green, blue] = [0, 8, 16].map((shift) => (packedColour >> shift) & 255);
    const light = 0.299 * red + 0.587 * green + 0.114 * blue > 140;
    chip.style.background = `rgb(${red}, ${green}, ${blue})`;
    chip.style.color = light === (ui.theme.scheme === "light") ? ui.theme.text : ui.theme.background;
  };
  ui.sourceChips.forEach((chip, key) => colour(chip, across[step * source.length + key]));
  ui.targetChips.forEach((chip, at) => {
    const state = at === step + 1 ? " now" : at > step + 1 ? " later" : "";
    const mark = ui.forced.includes(at - 1) ? " forced" : ui.changed.includes(at - 1) ? " changed" : "";
    chip.className = `chip${state}${mark}`;
    chip.style.background = chip.style.color = "";
    if (at <= step) colour(chip, back[step * predicted.length + at]);
    chip.ariaCurrent = at === step + 1 ? "step" : null;
  });
}

/**
 * One next piece: what was taken stands there, any other is a button.
 * @param {Ui} ui
 * @param {Option} option
 */
function optionItem(ui, [label, id, probability, taken]) {
  const bar = make("i");
  bar.style.width = `${100 * probability}%`;
  const parts = [
    make("bdi", { textContent: shown(label) }),
    make("span", { className: "bar" }, bar),
    make("span", { textContent: percent(probability) }),
    make("span", { textContent: taken ? "✓" : "", ariaHidden: "true" }),
  ];
  const possible = !taken && id !== null && ui.setTriggerValue;
  const item = make(
    possible ? "button" : "div",
    { className: `option${taken ? " taken" : ""}`, title: shown(label) },
    ...parts,
  );
  if (taken) item.append(make("span", { className: "said", textContent: ui.texts.taken }));
  if (possible) {
    const values = { piece: shown(label), probability: percent(probability) };
    const force = () => {
      ui.stepper.pause();
      ui.setTriggerValue("force", { step: ui.step, id, stamp: ui.stamp });
    };
    Object.assign(item, { type: "button", ariaLabel: fill(ui.texts.instead, values), onclick: force });
  }
  return make("li", {}, item);
}

/**
 * Reads out a cell [rows, columns] of a view and marks it; null points at nothing.
 * @param {Ui} ui
 * @param {number} at
 * @param {Range[] | null} [cell]
 */
export function point(ui, at, cell) {
  for (const plate of ui.plates) plate.row.hidden = plate.column.hidden = true;
  const reading = ui.find(".reading");
  if (!cell) {
    reading.textContent = ui.texts.hint;
    return;
  }
  const [[row], [key]] = cell;
  const { keys, grows } = ui.views[at];
  const query = shown(ui.predicted[row]);
  if (grows && key > row) {
    writeSentence(reading, ui.texts.masked, { query });
    return;
  }
  const plate = ui.plates[at];
  const scale = devicePixelRatio;
  const { pitch } = ui.layouts[at];
  const [left, top] = [plate.left / scale, plate.top / scale];
  const [rowTop, rowHeight] = band(top + row * pitch, pitch);
  const [columnLeft, columnWidth] = band(left + key * pitch, pitch);
  place(plate.row, 0, rowTop, left + plate.tile.width / scale, rowHeight);
  place(plate.column, columnLeft, 0, columnWidth, top + plate.tile.height / scale);
  const weight = weightDigits(ui.shownLevels[at][row * keys.length + key], ui.levels);
  writeSentence(reading, ui.texts.reading, { query, key: shown(keys[key]), weight });
}
