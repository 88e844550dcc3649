// The player in the browser: unpacks the message of __init__.py, plays a translation step by step, draws what each step
// looks at, and the tree of a beam. The canvas files, which come before this text with export.js, hold what it shares with
// other components.
// Words: a *step* predicts one piece; a *view* is one kind of attention; a *branch* is a node of the tree.

const MOST = { cell: 32, height: 440 }; // of a view
const CHOICE = 300; // width of the list of next pieces where all stands side by side
const BETWEEN = 32; // pixels between panels
const NARROWEST = 280; // of a view with its words
const PALE = 0.62; // how much of the background lies over earlier steps
const PACE = 900; // ms a step at speed 1
const SPEEDS = [0.5, 1, 2, 4];
const TOP = 26; // of the tree's first row, below the numbers of the steps
const ROW = 37; // of the tree; a box is BOX high
const BOX = 31;
const GAP = 26; // between columns of the tree
const AVERAGE = -1; // instead of a head
const SVG = "http://www.w3.org/2000/svg";

// Streamlit may mount the component anew when it moves on the page; what was chosen in it must survive that.
const remembered = (globalThis.regardPlayer ??= new Map());

export default function player(component) {
  const fail = (ui, error) => showMessage(ui, ui.texts?.failed ?? String(error));
  const receiveHere = (ui, data) => {
    ui.setTriggerValue = component.setTriggerValue; // none in a page that was saved, where nobody can be asked
    return receive(ui, data);
  };
  return mount(component, { root: ".player", createUi, drawAll, receive: receiveHere, fail, onRoomKey: onKey });
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  const ui = { root, find, sequence: 0, drawn: 0, width: 0, timer: 0, playing: false };
  ui.plates = [".back", ".across"].map((name, at) => {
    const plate = createPlate(find(`${name} .plate`));
    plate.element.onpointermove = plate.element.onpointerdown = (event) => point(ui, at, hit(plate, event)?.cell);
    // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
    plate.element.onpointerleave = (event) => event.pointerType !== "touch" && point(ui, at, null);
    return plate;
  });
  find(".previous").onclick = () => choose(ui, ui.step - 1);
  find(".next").onclick = () => choose(ui, ui.step + 1);
  find(".toggle").onclick = () => (ui.playing ? pause(ui) : start(ui));
  find("input").oninput = ({ target }) => choose(ui, Number(target.value));
  find("select").replaceChildren(...SPEEDS.map((speed) => make("option", { value: speed, textContent: `${speed}×` })));
  find("select").onchange = ({ target }) => remember(ui, { speed: Number(target.value) });
  root.onkeydown = (event) => onKey(ui, event);
  const box = find(".box");
  box.onpointermove = ({ target }) => pointBranch(ui, target.closest(".branch"));
  box.onpointerleave = ({ pointerType }) => pointerType !== "touch" && pointBranch(ui, null);
  box.onclick = ({ target }) => onBranch(ui, target.closest(".branch"));
  return ui;
}

function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// ---- the message ---------------------------------------------------------------------------------------------------

async function receive(ui, data) {
  const sequence = (ui.sequence += 1);
  const [header, body] = readMessage(data);
  ui.texts = header.texts;
  const bytes = header.deflated ? await inflate(body) : body;
  if (sequence !== ui.sequence) return; // a newer message came in meanwhile
  if (header.stamp !== ui.stamp) pause(ui);
  Object.assign(ui, header);
  ui.views = unpackViews(header, bytes);
  const known = remembered.get(ui.id) ?? {};
  const content = JSON.stringify([ui.source, ui.predicted, ui.forced]);
  const first = ui.start ?? ui.predicted.length - 1;
  ui.step = known.content === content ? known.step : first;
  ui.layer = Math.min(known.layer ?? Infinity, ui.layers - 1); // the last, until somebody chooses
  ui.head = Math.min(known.head ?? AVERAGE, ui.heads - 1);
  remember(ui, { content, step: ui.step });
  drawWords(ui);
  drawAll(ui);
}

/** What has been chosen here, for the next message and for the next mount. */
function remember(ui, changes) {
  remembered.set(ui.id, { ...remembered.get(ui.id), ...changes });
}

/** Both kinds of attention with all their levels [layer, head, step, key]; beyond the diagonal nothing was sent. */
function unpackViews({ layers, heads, predicted, read, source }, bytes) {
  const steps = predicted.length;
  const back = new Uint8Array(layers * heads * steps * steps);
  let offset = 0;
  for (let row = 0; row < layers * heads * steps; row++) {
    const seen = (row % steps) + 1;
    back.set(bytes.subarray(offset, offset + seen), row * steps);
    offset += seen;
  }
  return [
    { keys: read, levels: back, grows: true, averages: [] },
    { keys: source, levels: bytes.subarray(offset), grows: false, averages: [] },
  ];
}

/** The chosen head [step, key], or the average of its layer, on the same square-root scale. */
function levelsOf({ layer, head, heads, predicted }, { keys, levels, averages }) {
  const size = predicted.length * keys.length;
  const of = (number) => levels.subarray((layer * heads + number) * size, (layer * heads + number + 1) * size);
  if (head !== AVERAGE) return of(head);
  if (!averages[layer]) {
    const all = Array.from({ length: heads }, (_, number) => of(number));
    const mean = (cell) => all.reduce((sum, each) => sum + each[cell] ** 2, 0) / heads;
    averages[layer] = Uint8Array.from({ length: size }, (_, cell) => Math.round(Math.sqrt(mean(cell))));
  }
  return averages[layer];
}

// ---- words and controls --------------------------------------------------------------------------------------------

/** A sentence with its gaps filled; what fills them is isolated, so that a right-to-left piece moves nothing else. */
function write(node, sentence, values) {
  const parts = sentence.split(/\{(\w+)\}/);
  node.replaceChildren(...parts.map((part, at) => (at % 2 ? make("bdi", { textContent: values[part] }) : part)));
}

/** What does not change from step to step. */
function drawWords(ui) {
  const { texts, find, predicted } = ui;
  const say = (selector, text) => (find(selector).textContent = text);
  ui.root.ariaLabel = texts.aria;
  say(".previous", texts.previous);
  say(".next", texts.next);
  say(".speed span", texts.speed);
  find("select").value = remembered.get(ui.id).speed ?? 1;
  find("input").max = predicted.length - 1;
  find("input").ariaLabel = texts.slider;
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

function buildChips(ui) {
  const chip = (label) => make("span", { className: "chip", textContent: shown(label) });
  ui.sourceChips = ui.source.map((label, key) => {
    const node = chip(label);
    node.onpointerenter = () => point(ui, 1, [[ui.step], [key]]);
    node.onpointerleave = () => point(ui, 1, null);
    return node;
  });
  const beginning = chip(ui.read[0]);
  ui.targetChips = [
    beginning,
    ...ui.predicted.map((label, step) =>
      make("button", { type: "button", textContent: shown(label), onclick: () => choose(ui, step) }),
    ),
  ];
  ui.find(".source").replaceChildren(...ui.sourceChips);
  ui.find(".target").replaceChildren(...ui.targetChips);
}

function buildButtons(ui) {
  const group = (selector, name, choices, pick) => {
    const button = ([value, label]) => make("button", { type: "button", textContent: label, value, onclick: () => pick(value) });
    ui.find(selector).ariaLabel = name;
    ui.find(selector).replaceChildren(make("span", { textContent: name }), ...choices.map(button));
  };
  const numbers = (count) => Array.from({ length: count }, (_, at) => [at, String(at + 1)]);
  group(".layers", ui.texts.layer, numbers(ui.layers), (layer) => chooseWeights(ui, { layer }));
  const heads = [[AVERAGE, ui.texts.average], ...numbers(ui.heads)];
  group(".heads", ui.texts.head, heads, (head) => chooseWeights(ui, { head }));
}

function chooseWeights(ui, choice) {
  Object.assign(ui, choice);
  remember(ui, choice);
  drawStep(ui);
}

function showMessage(ui, text) {
  ui.find(".message").textContent = text;
  ui.find(".message").hidden = !text;
  ui.root.classList.toggle("empty", Boolean(text));
}

// ---- drawing -------------------------------------------------------------------------------------------------------

function drawAll(ui) {
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

/** Equal cells in both views, so that their rows stand side by side; and room for all steps, so that nothing moves. */
function layOut(ui, width) {
  const scale = devicePixelRatio;
  const beside = width >= 2 * NARROWEST + BETWEEN; // else all stands in one column
  const choice = width >= WIDE ? CHOICE + BETWEEN : 0;
  const room = beside ? (width - choice - BETWEEN) / 2 : width;
  const pen = { context: ui.plates[0].context, font: ui.theme.font };
  const fit = (most) => ui.views.map(({ keys }) => matrixLayout(pen, { queries: ui.predicted, keys }, room, scale, most));
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

const stepText = (ui) => fill(ui.texts.step, { step: ui.step + 1, steps: ui.predicted.length });
const percent = (p) => (p >= 0.9995 ? "100%" : p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`);

/** What depends on the step and on the chosen weights. */
function drawStep(ui) {
  const { step, texts, predicted } = ui;
  const last = predicted.length - 1;
  drawToggle(ui);
  ui.find(".previous").ariaDisabled = String(step <= 0); // not `disabled`, which would take the focus away
  ui.find(".next").ariaDisabled = String(step >= last);
  ui.find("input").value = step;
  ui.find("output").textContent = stepText(ui);
  for (const [selector, chosen] of [
    [".layers", ui.layer],
    [".heads", ui.head],
  ]) {
    for (const button of ui.find(selector).querySelectorAll("button")) button.ariaPressed = String(Number(button.value) === chosen);
  }
  ui.shownLevels = ui.views.map((view) => levelsOf(ui, view));
  ui.views.forEach((_, at) => drawView(ui, at));
  drawChips(ui);
  ui.find("ol").replaceChildren(...ui.options[step].map((option) => optionItem(ui, option)));
  const taken = ui.options[step].find(([, , , isTaken]) => isTaken);
  ui.said = fill(texts.said, { piece: shown(predicted[step]), probability: taken ? percent(taken[2]) : "" });
  ui.find("input").ariaValueText = `${stepText(ui)}. ${ui.said}`;
  point(ui, 0, null);
  drawColumn(ui);
  Object.assign(ui.root.dataset, { step, layer: ui.layer, head: ui.head, drawn: (ui.drawn += 1), seq: ui.sequence });
}

function drawToggle(ui) {
  ui.find(".toggle").textContent = ui.playing ? ui.texts.pause : ui.texts.play;
}

/** The rows up to this step: a triangle of the pieces read so far, or all of the source. */
function shownView(ui, at) {
  const { keys, grows } = ui.views[at];
  const levels = ui.shownLevels[at];
  const rows = ui.step + 1;
  const columns = grows ? rows : keys.length;
  const seen = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    seen.set(levels.subarray(row * keys.length, row * keys.length + columns), row * columns);
  }
  const reach = grows ? Array.from({ length: rows }, (_, row) => row + 1) : null;
  return { panel: { queries: ui.predicted.slice(0, rows), keys: keys.slice(0, columns), reach }, seen, grows };
}

/** Earlier rows of the source are paled. */
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

/** Pieces in the colours of this step's rows; ink that can be read on them. */
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

/** One next piece: what was taken stands there, any other is a button. */
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
  const item = make(possible ? "button" : "div", { className: `option${taken ? " taken" : ""}`, title: shown(label) }, ...parts);
  if (taken) item.append(make("span", { className: "said", textContent: ui.texts.taken }));
  if (possible) {
    const values = { piece: shown(label), probability: percent(probability) };
    const force = () => {
      pause(ui);
      ui.setTriggerValue("force", { step: ui.step, id, stamp: ui.stamp });
    };
    Object.assign(item, { type: "button", ariaLabel: fill(ui.texts.instead, values), onclick: force });
  }
  return make("li", {}, item);
}

// ---- pointing ------------------------------------------------------------------------------------------------------

/** Two or three digits: the square root came in steps of 1 / ui.levels. */
function weightText(ui, level) {
  const weight = (level / ui.levels) ** 2;
  return !level ? "0" : weight >= 0.1 ? weight.toFixed(2) : weight.toPrecision(weight >= 0.001 ? 2 : 1);
}

/** Reads out a cell [rows, columns] of a view and marks it; null points at nothing. */
function point(ui, at, cell) {
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
    write(reading, ui.texts.masked, { query });
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
  const weight = weightText(ui, ui.shownLevels[at][row * keys.length + key]);
  write(reading, ui.texts.reading, { query, key: shown(keys[key]), weight });
}

// ---- playing -------------------------------------------------------------------------------------------------------

function onKey(ui, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !ui.views) return;
  const { tagName } = event.target;
  const native = tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ");
  const own = {
    ArrowLeft: () => choose(ui, ui.step - 1),
    ArrowRight: () => choose(ui, ui.step + 1),
    " ": () => (ui.playing ? pause(ui) : start(ui)),
  }[event.key];
  if (native || !own) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  own();
}

function choose(ui, step) {
  pause(ui);
  if (step < 0 || step >= ui.predicted.length) return;
  setStep(ui, step);
  ui.find(".live").textContent = `${stepText(ui)}. ${ui.said}`;
}

function setStep(ui, step) {
  ui.step = step;
  remember(ui, { step });
  drawStep(ui);
}

function start(ui) {
  ui.playing = true;
  if (ui.step === ui.predicted.length - 1) ui.step = -1; // from the end it starts anew, at once
  advance(ui);
}

function advance(ui) {
  setStep(ui, ui.step + 1);
  if (ui.step === ui.predicted.length - 1) pause(ui);
  else ui.timer = setTimeout(() => advance(ui), PACE / (remembered.get(ui.id).speed ?? 1));
}

function pause(ui) {
  clearTimeout(ui.timer);
  ui.playing = false;
  if (ui.views) drawToggle(ui);
}

// ---- the tree ------------------------------------------------------------------------------------------------------

/** A number with a true minus sign; 0 has no sign. */
function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 || value > 0 ? text : `−${text}`;
}

/** Places all branches: steps are columns as wide as their longest piece, from the top by rank. */
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

function buildTree(ui) {
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
  const bands = ui.columns.map(({ x, width: breadth }) => draw("rect", { class: "column", x, y: 0, width: breadth, height }));
  const numbers = ui.columns.map(({ x, width: breadth }, step) => {
    const number = draw("text", { class: "number", x: x + breadth / 2, y: 16, "text-anchor": "middle" });
    number.textContent = step + 1;
    return number;
  });
  ui.edges = placed.map(({ parent, x, y }, at) => {
    if (parent < 0) return null;
    const from = placed[parent];
    const [x1, y1, y2] = [from.x + from.width, from.y + BOX / 2, y + BOX / 2];
    const middle = (x1 + x) / 2;
    return draw("path", { class: name(at), d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x},${y2}` });
  });
  ui.nodes = placed.map(({ x, y, width: breadth, text, total, fate }, at) => {
    const piece = draw("text", { class: "piece", x: x + breadth / 2, y: y + 14, "text-anchor": "middle" });
    piece.textContent = fate === "finished" ? `${text} ✓` : text;
    const sum = draw("text", { class: "total", x: x + breadth / 2, y: y + 26, "text-anchor": "middle" });
    sum.textContent = signed(total, 2);
    const frame = draw("rect", { class: "frame", x, y, width: breadth, height: BOX, rx: 5 });
    return draw("g", { class: `branch ${name(at)}`, "data-at": at }, frame, piece, sum);
  });
  // The result is drawn last, so that it lies on top.
  const ordered = (list) => [...list.filter((_, at) => !best.has(at)), ...list.filter((_, at) => best.has(at))];
  const edges = ordered(ui.edges).filter(Boolean);
  const svg = draw("svg", { width, height, role: "img", "aria-label": treeText(ui, placed) });
  svg.append(...bands, ...numbers, ...edges, ...ordered(ui.nodes));
  ui.find(".box").replaceChildren(svg);
  ui.placed = placed;
  ui.bands = bands;
  pointBranch(ui, null);
}

const treeText = (ui, placed) =>
  fill(ui.texts.tree_text, { count: placed.length, pieces: ui.tree.best.map((at) => placed[at].label).join(" ") });

function drawColumn(ui) {
  if (!ui.tree) return;
  ui.bands.forEach((column, step) => column.classList.toggle("now", step === ui.step));
  const box = ui.find(".box");
  const { x, width } = ui.columns[ui.step];
  if (x < box.scrollLeft) box.scrollLeft = x - 40;
  else if (x + width > box.scrollLeft + box.clientWidth) box.scrollLeft = x + width + 40 - box.clientWidth;
}

/** Marks the way from the beginning to a branch, and reads the branch out. */
function pointBranch(ui, node) {
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
  write(reading, `${ui.texts.node} ${fates[fate]}`, {
    piece: label,
    probability: percent(Math.exp(logProb)),
    total: signed(total, 2),
    way: way.map((each) => ui.placed[each].label).join(" "),
  });
}

function onBranch(ui, node) {
  if (!node) return;
  pointBranch(ui, node);
  choose(ui, Math.min(ui.placed[Number(node.dataset.at)].step, ui.predicted.length - 1));
}
