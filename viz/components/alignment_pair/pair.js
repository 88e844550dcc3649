// The alignment pair in the browser: unpacks the message of __init__.py, draws two maps and their difference, answers
// pointer and keys, and plays the recurrent model's steps. The canvas files, which come before this text with export.js,
// hold what it shares with other components. Words: a *map* is one matrix on its plate; the *cursor* is the cell that is pointed at;
// a *strip* is a vector as a line of thin cells.

const LEVELS = 254; // steps of a ramp; even, so that a difference of 0 has the middle colour
const BETWEEN = 28; // pixels between maps side by side
const MOST = { cell: 44, height: 560 }; // of a map
const NARROWEST = 240; // of a map's title and note
const COMFORT = 16; // the difference stands beside the maps while cells stay as large as this
const MARKS = 18; // room for the signs of agreement, between labels and cells
const PACE = 700; // ms a step
const DIFFERENCES = [["−1", 0], ["−0.25", 0.25], ["0", 0.5], ["+0.25", 0.75], ["+1", 1]]; // on the square-root scale

// Streamlit may mount the component anew when it moves on the page; the chosen step must survive that.
const remembered = (globalThis.regardAlignmentPair ??= new Map());

export default function alignmentPair(component) {
  const fail = (ui, error) => showMessage(ui, ui.texts?.failed ?? String(error));
  return mount(component, { root: ".alignment-pair", createUi, drawAll, receive, fail, onRoomKey });
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  const ui = { root, find, sequence: 0, drawn: 0, width: 0, timer: 0, playing: false };
  ui.plates = [0, 1, 2].map((at) => createMap(ui, at));
  find(".previous").onclick = () => choose(ui, ui.step - 1);
  find(".next").onclick = () => choose(ui, ui.step + 1);
  find(".toggle").onclick = () => (ui.playing ? pause(ui) : start(ui));
  find("input").oninput = ({ target }) => choose(ui, Number(target.value));
  find("table").onpointermove = find("table").onpointerdown = (event) => readStrip(ui, event);
  find("table").onpointerleave = ({ pointerType }) => {
    if (pointerType !== "touch") find(".number").textContent = ui.texts.number_hint;
  };
  return ui;
}

function createMap(ui, at) {
  const element = make("div", { className: "plate", tabIndex: 0, role: "application" });
  const title = make("h3");
  const note = make("p", { className: "note" });
  const article = make("article", { className: "map" }, title, note, make("div", { className: "scroll" }, element));
  ui.find(".maps").append(article);
  const plate = { ...createPlate(element), article, title, note };
  element.onpointermove = element.onpointerdown = (event) => {
    const cell = hit(plate, event)?.cell;
    setCursor(ui, cell ? { at, query: cell[0][0], key: cell[1][0] } : null);
  };
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  element.onpointerleave = (event) => event.pointerType !== "touch" && setCursor(ui, null);
  element.onblur = () => setCursor(ui, null);
  element.onclick = (event) => (ui.find(".live").textContent = chooseRow(ui, at, rowUnder(plate, event)));
  element.onkeydown = (event) => onKey(ui, at, event);
  return plate;
}

// ---- the message ---------------------------------------------------------------------------------------------------

async function receive(ui, data) {
  const sequence = (ui.sequence += 1);
  const [header, body] = readMessage(data);
  ui.texts = header.texts;
  const bytes = header.deflated ? await inflate(body) : body.slice(); // a copy starts where a Float32Array may start
  if (sequence !== ui.sequence) return; // a newer message came in meanwhile
  if (header.stamp !== ui.stamp) pause(ui);
  Object.assign(ui, header);
  unpack(ui, bytes.buffer);
  ui.followed = ui.maps.map((_, at) => Boolean(ui.play) && (ui.common || at === 0)); // whose rows are steps of `play`
  drawWords(ui);
  if (ui.play) {
    ui.step = Math.min(ui.step ?? remembered.get(ui.id) ?? 0, ui.play.predicted.length - 1);
    remembered.set(ui.id, ui.step);
    buildTable(ui);
  }
  drawAll(ui);
}

function unpack(ui, buffer) {
  let offset = 0;
  const floats = (count) => new Float32Array(buffer, (offset += 4 * count) - 4 * count, count);
  const { keys, play } = ui;
  const root = (weight) => Math.sign(weight) * Math.sqrt(Math.min(Math.abs(weight), 1));
  ui.maps = ui.maps.map((map) => {
    const weights = floats(map.queries.length * keys.length);
    const levels = Uint8Array.from(weights, (weight) => Math.round(LEVELS * root(weight)));
    return { ...map, keys, weights, levels };
  });
  const [left, right] = ui.maps;
  if (ui.difference) {
    const weights = right.weights.map((weight, cell) => weight - left.weights[cell]);
    const levels = Uint8Array.from(weights, (weight) => Math.round((LEVELS / 2) * (1 + root(weight))));
    const note = fill(ui.texts.difference_note, { left: left.title, right: right.title });
    ui.maps.push({ ...left, title: ui.texts.difference, note, weights, levels });
  }
  if (!play) return;
  const steps = play.predicted.length;
  if (play.attention) play.scores = floats(steps * play.source.length);
  if (play.attention) play.weights = floats(steps * play.source.length);
  play.contexts = floats(steps * play.width);
  play.states = new Int8Array(buffer, offset);
  play.largestScore = (play.scores ?? []).reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  play.mostOptions = Math.max(...play.options.flatMap((side) => side ?? []).map((options) => options.length));
}

// ---- words ---------------------------------------------------------------------------------------------------------

/** A sentence with its gaps filled; what fills them is isolated, so that a right-to-left piece moves nothing else. */
function write(node, sentence, values) {
  const parts = sentence.split(/\{(\w+)\}/);
  node.replaceChildren(...parts.map((part, at) => (at % 2 ? make("bdi", { textContent: values[part] }) : part)));
}

function drawWords(ui) {
  const { texts, find, maps } = ui;
  const names = { left: maps[0].title, right: maps[1].title };
  const say = (selector, text) => {
    find(selector).hidden = !text;
    find(selector).textContent = text;
  };
  ui.plates.forEach((plate, at) => {
    plate.article.hidden = at >= maps.length;
    if (plate.article.hidden) return;
    const { title, note } = maps[at];
    plate.title.textContent = title;
    plate.note.textContent = note;
    plate.element.ariaLabel = `${title}. ${note} ${ui.followed[at] ? texts.aria_step : texts.aria}`;
    plate.canvas.style.cursor = ui.followed[at] ? "pointer" : "";
  });
  say(".rows", fill(texts.rows, { query_word: ui.queryWord }));
  say(".columns", fill(texts.columns, { key_word: ui.keyWord }));
  const hint = ui.common ? texts.hint : texts.hint_apart;
  say(".hint", ui.play ? `${hint} ${texts.hint_step}` : hint);
  say(".sequential .words", texts.legend);
  find(".diverging").hidden = !ui.difference;
  say(".diverging .words", fill(texts.legend_difference, names));
  say(".ends span", fill(texts.more, { name: names.left }));
  say(".ends span:last-child", fill(texts.more, { name: names.right }));
  const gold = maps.flatMap((map) => map.gold.map(([, , sure]) => sure));
  find(".sure").hidden = !gold.includes(true);
  find(".possible").hidden = !gold.includes(false);
  say(".sure span", texts.gold_sure);
  say(".possible span", texts.gold_possible);
  say(".agree", ui.agree ? texts.agree : "");
  find(".step").hidden = !ui.play;
  offerSaving(find(".save"), texts.save, pairFiles(ui));
}

/** What all maps have together: every label, and as many rows as the longest has. */
const allRows = ({ maps, keys }) => ({
  queries: maps.flatMap((map) => map.queries),
  keys,
  rows: Math.max(...maps.map((map) => map.queries.length)),
});

// ---- drawing the maps ----------------------------------------------------------------------------------------------

function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.maps) return undefined; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.sequential, LEVELS);
  ui.theme.diverging = rampOf(ui.diverging[ui.theme.scheme], LEVELS);
  const empty = !ui.keys.length || !ui.maps.some((map) => map.queries.length);
  showMessage(ui, empty ? ui.texts.nothing : "");
  if (empty) return markDrawn(ui);
  ui.root.classList.toggle("wide", width >= WIDE);
  drawMaps(ui, width);
  setCursor(ui, null);
  drawLegend(ui);
  return drawStep(ui);
}

/** Equal cells in all maps, so that equal lengths look equal; as many maps side by side as there is room for. */
function drawMaps(ui, width) {
  const scale = devicePixelRatio;
  const pen = { context: ui.plates[0].context, font: ui.theme.font };
  const panel = allRows(ui);
  const marks = ui.agree ? MARKS : 0;
  const room = (count) => (width - BETWEEN * (count - 1)) / count;
  const fit = (count) => matrixLayout(pen, panel, room(count) - marks, scale, MOST);
  let count = width < WIDE ? 1 : 2;
  if (count === 2 && ui.maps.length === 3 && fit(3).pitch >= Math.min(COMFORT, fit(2).pitch)) count = 3;
  const layout = fit(count);
  layout.left += marks;
  layout.gap = 6 + marks;
  const breadth = Math.max(layout.left + layout.widthPx / scale + layout.right, NARROWEST);
  ui.find(".maps").style.gridTemplateColumns = `repeat(${count}, minmax(0, ${Math.ceil(breadth)}px))`;
  // Below two maps the difference leaves half of the width to the legend.
  if (count === 2 && ui.maps.length === 3) ui.find(".maps").append(ui.find(".legend"));
  else ui.find(".reading").after(ui.find(".legend"));
  ui.maps.forEach((map, at) => {
    const plate = ui.plates[at];
    const heightPx = Math.round(layout.cellPx * map.queries.length);
    const theme = at === 2 ? { ...ui.theme, ramp: ui.theme.diverging } : ui.theme;
    drawMatrix(theme, plate, map, map.levels, { ...layout, heightPx }, scale);
    drawGold(ui, plate, map.gold, layout, scale);
    if (ui.agree) drawAgreement(ui, plate, layout, scale);
  });
}

/** Outlines inside the cells, with a pale line on each side so that they show on every colour. */
function drawGold(ui, { context, left, top }, gold, { cellPx, pitch }, scale) {
  const halo = pitch >= 10 ? scale : 0;
  const thick = scale * (pitch < 24 ? 1 : 2);
  for (const [row, column, sure] of gold) {
    const inset = thick / 2 + halo;
    const box = [left + column * cellPx + inset, top + row * cellPx + inset, cellPx - 2 * inset, cellPx - 2 * inset];
    const stroke = (style, width, dash) => {
      context.setLineDash(dash);
      Object.assign(context, { strokeStyle: style, lineWidth: width });
      context.strokeRect(...box);
    };
    if (halo) stroke(ui.theme.background, thick + 2 * halo, []);
    stroke(ui.outline[ui.theme.scheme], thick, sure ? [] : [2 * thick, 2 * thick]);
  }
  context.setLineDash([]);
}

/** A sign beside each row: whether both maps point to the same key. Where rows are low, a bar stands for "not". */
function drawAgreement(ui, { context, left, top }, { cellPx, pitch, rowFont }, scale) {
  const low = every(rowFont, pitch) > 1;
  Object.assign(context, { fillStyle: ui.theme.text, textAlign: "center", textBaseline: "middle" });
  context.font = `${rowFont * scale}px ${ui.theme.font}`;
  ui.agree.forEach((same, row) => {
    const y = top + row * cellPx;
    if (low && !same) context.fillRect(left - 12 * scale, y, 6 * scale, Math.ceil(cellPx));
    if (!low) context.fillText(same ? "✓" : "≠", left - (MARKS / 2 + 2) * scale, y + cellPx / 2);
  });
}

function drawLegend(ui) {
  const draw = (name, ramp, ticks) => {
    paintStrip(ui.find(`${name} .ramp`), LEVELS + 1, 1, (x) => ramp[x]);
    drawTicks(ui.find(`${name} .ticks`), ticks);
  };
  draw(".sequential", ui.theme.ramp, weightTicks());
  draw(".diverging", ui.theme.diverging, DIFFERENCES);
  ui.root.style.setProperty("--outline", ui.outline[ui.theme.scheme]);
}

function showMessage(ui, text) {
  ui.find(".message").textContent = text;
  ui.find(".message").hidden = !text;
  ui.root.classList.toggle("empty", Boolean(text));
}

/** A number with a true minus sign; 0 has no sign. */
function signed(value, digits, plus = "") {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? "−" : plus) + text;
}

// ---- pointing ------------------------------------------------------------------------------------------------------

function rowUnder(plate, event) {
  const box = plate.canvas.getBoundingClientRect();
  const y = Math.floor((event.clientY - box.top) * devicePixelRatio) - plate.top;
  return y >= 0 && y < plate.tile.height ? cellsUnder(y, plate.tile.height, plate.panel.queries.length)[0] : -1;
}

/** Where the cells of a plate are, in CSS pixels. */
function boxOf({ left, top, tile }) {
  const css = (px) => px / devicePixelRatio;
  return { left: css(left), top: css(top), width: css(tile.width), height: css(tile.height) };
}

/** Marks the cell in every map that has it, and reads it out; null points at nothing. */
function setCursor(ui, cursor) {
  if (!ui.maps) return;
  ui.cursor = cursor;
  ui.maps.forEach((map, at) => {
    const plate = ui.plates[at];
    plate.row.hidden = !cursor || !(ui.common || at === cursor.at);
    plate.column.hidden = !cursor;
    if (!cursor) return;
    const { left, top, width, height } = boxOf(plate);
    const cell = width / ui.keys.length;
    const [rowTop, rowHeight] = band(top + cursor.query * cell, cell);
    const [columnLeft, columnWidth] = band(left + cursor.key * cell, cell);
    if (!plate.row.hidden) place(plate.row, 0, rowTop, left + width, rowHeight);
    place(plate.column, columnLeft, 0, columnWidth, top + height);
  });
  ui.find(".reading").replaceChildren(...readings(ui, cursor).map(readingPart));
}

/** [name, value] of everything that is known of a cell. The parts are always there, so that nothing moves. */
function readings(ui, cursor) {
  const { maps, keys, texts } = ui;
  const weight = (at) => maps[at].weights[cursor.query * keys.length + cursor.key];
  const known = (at) => cursor && (ui.common || at === cursor.at);
  const parts = [
    [ui.queryWord, cursor ? shown(maps[cursor.at].queries[cursor.query]) : "–"],
    [ui.keyWord, cursor ? shown(keys[cursor.key]) : "–"],
    [maps[0].title, known(0) ? weight(0).toFixed(4) : "–"],
    [maps[1].title, known(1) ? weight(1).toFixed(4) : "–"],
  ];
  return ui.common ? [...parts, [texts.minus, cursor ? signed(weight(1) - weight(0), 4, "+") : "–"]] : parts;
}

function readingPart([name, value]) {
  const words = make("span", { textContent: `${name}: ` });
  return make("span", { title: `${name}: ${value}` }, words, make("bdi", { textContent: value }));
}

/** Up and down choose a row (without steps they only point), left and right point along it. */
function onKey(ui, at, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { queries, keys } = ui.maps[at];
  const row = ui.followed[at] ? rowOf(ui, ui.maps[at]) : 0;
  const from = ui.cursor?.at === at ? ui.cursor : { query: Math.max(row, 0), key: 0 };
  const limited = (index, count) => Math.max(0, Math.min(index, count - 1));
  const to = {
    ArrowUp: { ...from, query: from.query - 1 },
    ArrowDown: { ...from, query: from.query + 1 },
    ArrowLeft: { ...from, key: from.key - 1 },
    ArrowRight: { ...from, key: from.key + 1 },
    Home: { ...from, query: 0 },
    End: { ...from, query: queries.length - 1 },
    Enter: from,
  }[event.key];
  if (!to || !queries.length) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  setCursor(ui, { at, query: limited(to.query, queries.length), key: limited(to.key, keys.length) });
  const along = event.key === "ArrowLeft" || event.key === "ArrowRight";
  const chosen = along ? "" : chooseRow(ui, at, ui.cursor.query);
  const reading = [...ui.find(".reading").children].map((part) => part.textContent).join(", ");
  ui.find(".live").textContent = `${reading}. ${chosen}`;
}

// ---- choosing and playing a step -----------------------------------------------------------------------------------

/** Chooses the step of a row, if it has one. Returns the sentences that say so. */
function chooseRow(ui, at, row) {
  const agreement = !ui.agree || row < 0 ? "" : ui.agree[row] ? ui.texts.agree_yes : ui.texts.agree_no;
  if (row < 0 || !ui.followed[at]) return agreement;
  choose(ui, ui.maps[at].steps[row]);
  return `${agreement} ${stepText(ui)}. ${ui.find(".moves").textContent}`;
}

function onRoomKey(ui, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !ui.play) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  choose(ui, ui.step + by);
}

function choose(ui, step) {
  pause(ui);
  if (step >= 0 && step < ui.play.predicted.length) setStep(ui, step);
}

function setStep(ui, step) {
  ui.step = step;
  remembered.set(ui.id, step);
  drawStep(ui);
}

function start(ui) {
  ui.playing = true;
  if (ui.step === ui.play.predicted.length - 1) ui.step = -1; // from the end it starts anew, at once
  advance(ui);
}

function advance(ui) {
  setStep(ui, ui.step + 1);
  if (ui.step === ui.play.predicted.length - 1) pause(ui);
  else ui.timer = setTimeout(() => advance(ui), PACE);
}

function pause(ui) {
  clearTimeout(ui.timer);
  ui.playing = false;
  if (ui.play) drawToggle(ui);
}

/** The row that shows the step: its own, or that of the word that it goes on with; -1 if there is none. */
function rowOf(ui, { steps }) {
  const after = steps.findIndex((first) => first > ui.step);
  if (after >= 0) return after - 1;
  // The last step of all ends the sentence: where </s> is hidden, it has no row.
  return steps.at(-1) === ui.step || ui.step < ui.play.predicted.length - 1 ? steps.length - 1 : -1;
}

// ---- drawing a step ------------------------------------------------------------------------------------------------

/** What does not change from step to step: the table's rows, its words, and room for the longest list of options. */
function buildTable(ui) {
  const { texts, find, play } = ui;
  const strip = (label) => make("canvas", { className: "strip", role: "img", ariaLabel: label });
  const heading = (scope, name, explanation) =>
    make("th", { scope }, make("small", { textContent: explanation }), make("span", { textContent: name }));
  const measure = (kind) => {
    const [value, bar] = [make("span"), make("i")];
    return { value, bar, cell: make("td", { className: kind }, value, make("span", { className: "bar" }, bar)) };
  };
  ui.rows = (play.attention ? play.source : []).map((label) => {
    const piece = shown(label);
    const row = { score: measure("score"), weight: measure("weight"), strip: strip(fill(texts.strip_aria, { piece })) };
    const name = make("th", { scope: "row", title: piece }, make("bdi", { textContent: piece }));
    row.element = make("tr", {}, name, row.score.cell, row.weight.cell, make("td", {}, row.strip));
    return row;
  });
  ui.sum = strip(texts.sum);
  const sum = heading("row", texts.sum, play.attention ? texts.sum_says : texts.same_says);
  if (play.attention) sum.colSpan = 3;
  const columns = [
    [texts.piece, texts.piece_says],
    [texts.score, texts.score_says],
    [texts.weight, texts.weight_says],
    [texts.weighted, texts.weighted_says],
  ].map(([name, explanation]) => heading("col", name, explanation));
  find("thead").replaceChildren(...(play.attention ? [make("tr", {}, ...columns)] : []));
  find("tbody").replaceChildren(...ui.rows.map((row) => row.element));
  find("tfoot").replaceChildren(make("tr", {}, sum, make("td", {}, ui.sum)));
  find(".step h3").textContent = find(".box").ariaLabel = fill(texts.title, { name: play.name });
  find(".number").textContent = texts.number_hint;
  find(".strips").textContent = fill(texts.strips, { width: play.width, largest: play.largest.toPrecision(2) });
  find(".panel").style.setProperty("--options", play.mostOptions);
  find("input").max = play.predicted.length - 1;
  find("input").ariaLabel = texts.slider;
  find(".previous").textContent = texts.previous;
  find(".next").textContent = texts.next;
}

const stepText = (ui) => fill(ui.texts.step, { step: ui.step + 1, steps: ui.play.predicted.length });

function drawToggle(ui) {
  ui.find(".toggle").textContent = ui.playing ? ui.texts.pause : ui.texts.play;
}

/** What depends on the step alone. */
function drawStep(ui) {
  ui.maps.forEach((map, at) => {
    const row = ui.followed[at] ? rowOf(ui, map) : -1;
    const { chosen } = ui.plates[at];
    chosen.hidden = row < 0;
    if (row < 0) return;
    const { left, top, width, height } = boxOf(ui.plates[at]);
    const pitch = height / map.queries.length;
    place(chosen, 0, top + row * pitch - 2, left + width + 2, pitch + 4);
  });
  ui.root.dataset.step = ui.play ? ui.step : "";
  if (ui.play) drawPanel(ui);
  markDrawn(ui);
}

function drawPanel(ui) {
  const { find, play, step, texts } = ui;
  const last = play.predicted.length - 1;
  drawToggle(ui);
  find(".previous").ariaDisabled = String(step <= 0); // not `disabled`, which would take the focus away
  find(".next").ariaDisabled = String(step >= last);
  find("input").value = step;
  find("output").textContent = stepText(ui);
  write(find(".moves"), texts.moves, { read: shown(play.read[step]), predicted: shown(play.predicted[step]) });
  find("input").ariaValueText = `${stepText(ui)}. ${find(".moves").textContent}`;
  const colour = (share) => ui.theme.diverging[Math.round((LEVELS / 2) * (1 + Math.max(-1, Math.min(share, 1))))];
  ui.rows.forEach((row, at) => {
    const score = play.scores[step * ui.rows.length + at];
    const weight = play.weights[step * ui.rows.length + at];
    row.score.value.textContent = signed(score, 2);
    const length = play.largestScore ? (50 * Math.abs(score)) / play.largestScore : 0;
    Object.assign(row.score.bar.style, { left: `${score < 0 ? 50 - length : 50}%`, width: `${length}%` });
    row.weight.value.textContent = weight.toFixed(3);
    row.weight.bar.style.width = `${100 * weight}%`;
    paintStrip(row.strip, play.width, 1, (x) => colour((weight * play.states[at * play.width + x]) / play.levels));
  });
  paintStrip(ui.sum, play.width, 1, (x) => colour(play.contexts[step * play.width + x] / play.largest));
  const lists = play.options.map((side, at) => (side ? [optionList(ui, side[step], at)] : []));
  find(".options").replaceChildren(...lists.flat());
  if (play.attention) showHeaviest(ui);
}

/** Scrolls the table, and nothing but the table, when the row with the largest weight is out of sight. */
function showHeaviest(ui) {
  const { play, step, find } = ui;
  const weights = play.weights.subarray(step * ui.rows.length, (step + 1) * ui.rows.length);
  const row = ui.rows[weights.indexOf(Math.max(...weights))].element;
  const box = find(".box");
  const room = box.clientHeight - find("thead").offsetHeight - find("tfoot").offsetHeight;
  const above = row.offsetTop - find("thead").offsetHeight - box.scrollTop;
  if (above < 0 || above + row.offsetHeight > room) box.scrollTop += above - (room - row.offsetHeight) / 2;
}

function optionList(ui, options, at) {
  const name = at ? ui.maps[1].title : ui.play.name;
  const rows = options.map(([label, probability, taken]) => {
    const bar = make("i");
    bar.style.width = `${100 * probability}%`;
    return make(
      "li",
      { className: taken ? "taken" : "", title: shown(label) },
      make("bdi", { textContent: shown(label) }),
      make("span", { className: "bar" }, bar),
      make("span", { textContent: percent(probability) }),
      make("span", { className: "said", textContent: taken ? ui.texts.taken : "" }),
    );
  });
  return make("div", {}, make("h4", { textContent: fill(ui.texts.options, { name }) }), make("ol", {}, ...rows));
}

const percent = (p) => (p >= 0.9995 ? "100%" : p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`);

/** The number of a strip that is pointed at; those of states came in steps, so they are approximate. */
function readStrip(ui, { target, clientX }) {
  if (!target.classList.contains("strip")) return;
  const { play, step, texts } = ui;
  const box = target.getBoundingClientRect();
  const x = Math.max(0, Math.min(Math.floor(((clientX - box.left) / box.width) * play.width), play.width - 1));
  const at = ui.rows.findIndex((row) => row.strip === target);
  const weight = at < 0 ? 1 : play.weights[step * ui.rows.length + at];
  const approximate = at < 0 ? 0 : (play.states[at * play.width + x] / play.levels) * play.largest;
  const state = at < 0 ? play.contexts[step * play.width + x] : approximate;
  write(ui.find(".number"), at < 0 ? texts.number_sum : texts.number, {
    piece: at < 0 ? "" : shown(play.source[at]),
    number: x + 1,
    width: play.width,
    weight: weight.toFixed(3),
    state: signed(state, at < 0 ? 4 : 3),
    product: signed(weight * state, 3),
  });
}
