// The attention grid in the browser: unpacks the message of __init__.py, draws it, answers hover, click and keys.
// Words: a *panel* is one kind of attention; a *tile* is one small head; a *plate* is a canvas with marks laid over it;
// the *picks* are the heads of one panel that are drawn large, the *choice* the one of them that Python hears of, and
// the *cursor* the head where the keyboard stands.
// Before this text come the canvas files, which other components share, and lines.js, export.js and large.js.

const REPORT_AFTER = 350; // ms without a new choice until Python hears of it
const GAP = 3; // between tiles
const MIN_PITCH = 22; // room for the label of a column of tiles
const MAX_TILE_CELL = 14; // so that a sentence of one piece is not a block
const MARK = { bar: 3, font: 9, height: 19 }; // under a tile: a bar of entropy and a short label

// Streamlit may mount the component anew with an old message, when it moves on the page: what the person has chosen
// must survive that. Each mount has a new `key` and may have its own copy of this module: hence the header's id.
const remembered = (globalThis.regardAttentionGrid ??= new Map());

export default function attentionGrid(component) {
  const fail = (ui, error) => showMessage(ui, ui.texts?.failed ?? String(error));
  return mount(component, { root: ".attention-grid", createUi, drawAll, receive, fail, onRoomKey: onKey });
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  const ui = { root, find, sequence: 0, drawn: 0, width: 0, panels: [], choice: null, reported: null, timer: 0 };
  ui.large = createPlate(find(".plate.large"));
  // Over the picture with all lines lies the one with those of a single word, and the first need not be drawn again.
  ui.single = { canvas: find(".single"), context: find(".single").getContext("2d") };
  watchPointer(ui, ui.large);
  ui.large.element.onkeydown = (event) => onLargeKey(ui, event);
  ui.large.element.onblur = () => unhover(ui, ui.large);
  find(".blocks").onkeydown = (event) => onKey(ui, event);
  find(".views").onchange = ({ target }) => show(ui, target.value);
  find(".layer").onclick = () => pickLayer(ui);
  find(".only").onclick = () => choose(ui, ui.choice);
  return ui;
}

// ---- the message -----------------------------------------------------------------------------------------------

async function receive(ui, data) {
  const sequence = (ui.sequence += 1);
  const [header, body] = readMessage(data);
  ui.texts = header.texts;
  const bytes = header.deflated ? await inflate(body) : body;
  if (sequence !== ui.sequence) return; // a newer message came in meanwhile
  ui.panels = unpackPanels(header.panels, bytes);
  ui.levels = header.levels;
  ui.stamp = header.stamp;
  ui.palette = header.palette;
  ui.colours = header.colours;
  adoptChoice(ui, header);
  buildBlocks(ui);
  drawAll(ui);
}

/** Gives each panel `levels`: all its bytes [layer, head, query, key], with 0 where a masked one sent nothing. */
function unpackPanels(panels, bytes) {
  let offset = 0;
  for (const panel of panels) {
    const rows = panel.queries.length;
    const columns = panel.keys.length;
    panel.levels = new Uint8Array(panel.layers * panel.heads * rows * columns);
    for (let row = 0; row < panel.layers * panel.heads * rows; row++) {
      const sent = panel.reach ? panel.reach[row % rows] : columns;
      panel.levels.set(bytes.subarray(offset, offset + sent), row * columns);
      offset += sent;
    }
  }
  return panels.filter((panel) => panel.layers * panel.heads > 0);
}

function headOf(panel, layer, head) {
  const size = panel.queries.length * panel.keys.length;
  return panel.levels.subarray((layer * panel.heads + head) * size, (layer * panel.heads + head + 1) * size);
}

/** What the person has chosen, else what Python says, else the first head; Python hears of what it does not know. */
function adoptChoice(ui, header) {
  const before = remembered.get(header.id);
  const ours = String(before?.start) === String(header.choice) ? before : null; // else a link has led to another head
  Object.assign(ui, { id: header.id, start: header.choice });
  ui.view = before?.view ?? "heatmap";
  ui.reported ??= ours ? [] : header.choice; // mounted anew, we do not know what Python last heard
  ui.choice = (ours && locate(ui, ours.choice)) || locate(ui, header.choice) || locate(ui, [null, 0, 0]);
  if (!ui.choice) return;
  ui.cursor = (ui.cursor && locate(ui, choiceList(ui.cursor))) || ui.choice;
  const same = ours?.choice[0] === ui.choice.panel.kind ? ours.picks : [];
  const left = same.filter(({ layer, head }) => locate(ui, [ours.choice[0], layer, head]));
  ui.picks = left.some((pick) => isSame(pick, ui.choice)) ? left : alone(ui.choice);
  reportLater(ui);
}

function locate(ui, [kind, layer, head]) {
  const panel = kind === null ? ui.panels[0] : ui.panels.find((each) => each.kind === kind);
  return panel && layer < panel.layers && head < panel.heads ? { panel, layer, head } : null;
}

const choiceList = ({ panel, layer, head }) => [panel.kind, layer, head];
const isSame = (one, other) => one.layer === other.layer && one.head === other.head; // of the same panel
const alone = ({ layer, head }) => [{ layer, head, slot: 0 }]; // a slot stands for a colour and a dash pattern
const mostPicks = (ui) => ui.colours.light.length * DASHES.length;

/** What is drawn large, in the order in which it was picked. */
function headsOn(ui) {
  const { panel } = ui.choice;
  const colours = ui.colours[ui.theme.scheme];
  return ui.picks.map(({ layer, head, slot }) => ({
    layer,
    head,
    name: nameOf(ui, { layer, head }),
    levels: headOf(panel, layer, head),
    colour: colours[slot % colours.length],
    dash: DASHES[Math.floor(slot / colours.length)],
    border: BORDERS[Math.floor(slot / colours.length)],
  }));
}

// ---- layout ----------------------------------------------------------------------------------------------------

function buildBlocks(ui) {
  const blocks = ui.find(".blocks");
  blocks.replaceChildren();
  ui.blocks = ui.panels.map((panel) => {
    const block = document.createElement("div");
    const title = block.appendChild(document.createElement("h4"));
    title.textContent = panel.title;
    blocks.appendChild(block);
    const plate = createPlate(block.appendChild(Object.assign(document.createElement("div"), { className: "plate" })));
    Object.assign(plate, { panel, layers: panel.layers, heads: panel.heads });
    plate.outlines = plate.element.appendChild(document.createElement("div"));
    watchPointer(ui, plate);
    plate.element.onclick = (event) => onClick(ui, plate, event);
    return plate;
  });
}

/** How large a tile may be, from the width of the component and the number of blocks that fit side by side. */
function roomForTiles(ui, width) {
  const heads = Math.max(...ui.panels.map((panel) => panel.heads));
  const tileIn = (room) => (room - labelSpace(ui)) / heads - GAP;
  if (width >= WIDE) return Math.min(80, tileIn(Math.min(Math.max(width * 0.38, 320), 600)));
  const side = (count) => tileIn((width - 20 * (count - 1)) / count);
  let count = ui.panels.length;
  while (count > 1 && side(count) < 34) count -= 1;
  return Math.min(80, side(count));
}

const labelSpace = (ui) => ui.tileFont * 2.2;

/**
 * Size of a tile in device pixels: whole pixels per cell where there are two or more, else the room is filled.
 * All panels share one cell size, so that equal lengths look equal; only a much shorter panel gets larger cells.
 */
function tileSize(ui, panel, roomPx, scale) {
  const length = ({ queries, keys }) => Math.max(queries.length, keys.length, 1);
  const longest = Math.max(...ui.panels.map(length));
  const fit = (roomPx / longest) * (2 * length(panel) <= longest ? 2 : 1);
  const cell = fit >= 2 ? Math.min(Math.floor(fit), Math.round(MAX_TILE_CELL * scale)) : fit;
  const side = (count) => Math.max(Math.round(count * cell), Math.round(3 * scale));
  return { width: side(panel.keys.length), height: side(panel.queries.length) };
}

// ---- drawing ---------------------------------------------------------------------------------------------------

function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.palette) return undefined; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.palette, ui.levels);
  ui.tileFont = typed(11);
  showMessage(ui, ui.choice ? "" : ui.texts.nothing);
  if (!ui.choice) return markDrawn(ui);
  ui.root.classList.toggle("wide", width >= WIDE);
  const room = roomForTiles(ui, width);
  for (const plate of ui.blocks) drawBlock(ui, plate, room);
  // The overview is as wide as its tiles, so that the help line breaks and the chosen head gets the rest.
  const overview = Math.max(...ui.blocks.map((plate) => plate.element.offsetWidth), 240);
  ui.find(".overview").style.width = width >= WIDE ? `${overview}px` : "";
  for (const plate of ui.blocks) plate.element.parentElement.style.maxWidth = `${Math.max(overview, 240)}px`;
  return drawChoice(ui);
}

function drawBlock(ui, plate, room) {
  const { panel, context } = plate;
  const scale = devicePixelRatio;
  const sizes = ui.panels.map((each) => tileSize(ui, each, Math.floor(room * scale), scale));
  const size = sizes[ui.panels.indexOf(panel)];
  const px = (length) => Math.round(length * scale);
  plate.tile = size;
  plate.pitchX = Math.max(...sizes.map(({ width }) => width), px(MIN_PITCH)) + px(GAP); // heads line up across panels
  const marks = panel.marks ? px(MARK.height) : 0;
  plate.pitchY = Math.max(size.height, px(ui.tileFont + 3)) + px(GAP) + marks;
  plate.left = px(labelSpace(ui));
  plate.top = px(ui.tileFont + 6);
  sizeCanvas(plate, plate.left + panel.heads * plate.pitchX, plate.top + panel.layers * plate.pitchY, scale);
  for (let layer = 0; layer < panel.layers; layer++) {
    for (let head = 0; head < panel.heads; head++) {
      const x = plate.left + head * plate.pitchX;
      const y = plate.top + layer * plate.pitchY;
      paintMatrix(ui.theme, context, panel, headOf(panel, layer, head), x, y, size, 4 * scale);
      context.strokeStyle = ui.theme.border;
      context.lineWidth = 1;
      context.strokeRect(x - 0.5, y - 0.5, size.width + 1, size.height + 1);
      if (panel.marks?.[layer][head]) drawMark(ui, plate, panel.marks[layer][head], x, y + size.height);
    }
  }
  context.fillStyle = ui.theme.text;
  context.font = `${ui.tileFont * scale}px ${ui.theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (let head = 0; head < panel.heads; head++) {
    const label = fill(ui.texts.head_short, { head: head + 1 });
    context.fillText(label, plate.left + head * plate.pitchX + size.width / 2, plate.top / 2, plate.pitchX);
  }
  context.textAlign = "right";
  for (let layer = 0; layer < panel.layers; layer++) {
    const label = fill(ui.texts.layer_short, { layer: layer + 1 });
    const y = plate.top + layer * plate.pitchY + size.height / 2;
    context.fillText(label, plate.left - px(5), y, plate.left - px(5));
  }
}

/** Below a tile: its head's entropy as a bar, full at the most that there can be, and its label. */
function drawMark(ui, { context, panel, tile, pitchX }, [label, , entropy], x, y) {
  const scale = devicePixelRatio;
  const full = Math.max(tile.width, 16 * scale);
  const top = y + Math.round(4 * scale);
  const bar = Math.round(MARK.bar * scale);
  context.fillStyle = ui.theme.border;
  context.fillRect(x, top, full, bar);
  context.fillStyle = ui.theme.text;
  context.fillRect(x, top, Math.round(full * Math.min(entropy / mostBits(panel), 1)), bar);
  Object.assign(context, { font: `${MARK.font * scale}px ${ui.theme.font}`, textAlign: "center", textBaseline: "top" });
  context.fillText(label, x + full / 2, top + bar + 2 * scale, pitchX - 2 * scale);
}

const mostBits = (panel) => Math.log2(Math.max(panel.keys.length, 2));

/** What depends on the picks and the view alone: outlines, the large picture, the words and the data attributes. */
function drawChoice(ui) {
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
  markDrawn(ui);
}

function placeAround(mark, plate, { layer, head }, space) {
  const [left, top, width, height] = [
    plate.left + head * plate.pitchX,
    plate.top + layer * plate.pitchY,
    plate.tile.width,
    plate.tile.height,
  ].map((px) => px / devicePixelRatio);
  place(mark, left - space, top - space, width + 2 * space, height + 2 * space);
}

function outline(plate, head) {
  const mark = Object.assign(document.createElement("div"), { className: "mark pick" });
  placeAround(mark, plate, head, 3);
  Object.assign(mark.style, { borderColor: head.colour, borderStyle: head.border });
  return mark;
}

/** A ring around the head where the keyboard stands, when Shift has led it away from the chosen one. */
function drawCursor(ui) {
  for (const plate of ui.blocks) {
    const away = ui.cursor.panel !== ui.choice.panel || !isSame(ui.cursor, ui.choice);
    const here = away && plate.panel === ui.cursor.panel;
    plate.chosen.hidden = !here;
    if (here) placeAround(plate.chosen, plate, ui.cursor, 5);
  }
  tellAbout(ui, ui.cursor);
}

/** The picks with their colours, each a button that takes it off; the one that the page follows stands out. */
function drawHeads(ui, heads) {
  const chips = heads.map((each) => {
    const chip = Object.assign(document.createElement("button"), { type: "button" });
    const sample = chip.appendChild(document.createElement("i"));
    Object.assign(sample.style, { borderTopColor: each.colour, borderTopStyle: each.border });
    chip.append(each.name);
    chip.ariaCurrent = String(isSame(each, ui.choice));
    chip.ariaDisabled = String(heads.length === 1); // not `disabled`, which would take the focus away
    chip.title = heads.length === 1 ? "" : fill(ui.texts.remove, { head: each.name });
    chip.onclick = () => {
      toggle(ui, { panel: ui.choice.panel, layer: each.layer, head: each.head });
      ui.find(".heads").focus();
    };
    return chip;
  });
  ui.find(".heads").replaceChildren(...chips);
  ui.find(".only").ariaDisabled = String(heads.length === 1);
}

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

function whereText(ui) {
  if (ui.picks.length === 1) return wording(ui, ui.choice);
  const text = ui.view === "heatmap" ? ui.texts.average : ui.texts.several;
  return fill(text, { title: ui.choice.panel.title, count: ui.picks.length });
}

function showMessage(ui, text) {
  const message = ui.find(".message");
  message.textContent = text;
  message.hidden = !text;
  ui.find(".overview").hidden = ui.find(".detail").hidden = Boolean(text);
}

// ---- words -----------------------------------------------------------------------------------------------------

const wording = (ui, { panel, layer, head }) =>
  fill(ui.texts.where, { title: panel.title, layer: layer + 1, head: head + 1 });

const nameOf = (ui, { layer, head }) => fill(ui.texts.head, { layer: layer + 1, head: head + 1 });

/** Two or three digits: the square root came in steps of 1 / ui.levels. */
function weightText(ui, level) {
  const weight = (level / ui.levels) ** 2;
  const digits = !level ? "0" : weight >= 0.1 ? weight.toFixed(2) : weight.toPrecision(weight >= 0.001 ? 2 : 1);
  return fill(ui.texts.approx, { weight: digits });
}

// ---- pointing --------------------------------------------------------------------------------------------------

function largestCell(panel, weights, [[firstRow, endRow], [first, end]]) {
  let best = { query: firstRow, key: first, level: -1 };
  for (let query = firstRow; query < endRow; query++) {
    for (let key = first; key < end; key++) {
      const level = weights[query * panel.keys.length + key];
      if (level > best.level && !isMasked(panel, query, key)) best = { query, key, level };
    }
  }
  return best;
}

function watchPointer(ui, plate) {
  plate.element.onpointermove = plate.element.onpointerdown = (event) => hover(ui, plate, event);
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  plate.element.onpointerleave = (event) => event.pointerType !== "touch" && unhover(ui, plate);
}

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

/** Marks a cell by lines through it, and tells its weight beside a place on the screen. */
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

function unhover(ui, plate) {
  plate.row.hidden = plate.column.hidden = true;
  ui.find(".tip").hidden = true;
  if (plate === ui.large) focusOn(ui, (ui.cell = null));
  else tellAbout(ui, ui.cursor);
}

/** The line below the tiles: which head is pointed at, and what is known of it. */
function tellAbout(ui, { panel, layer, head }) {
  const where = wording(ui, { panel, layer, head });
  const [label, note, entropy] = panel.marks?.[layer][head] ?? [];
  const bits = { entropy: entropy?.toFixed(2), most: mostBits(panel).toFixed(2) };
  const known = { where: label ? `${where} (${label})` : where, note: panel.notes?.[note], ...bits };
  ui.find(".about").textContent = entropy === undefined ? where : fill(ui.texts.about, known);
}

/** "source piece looked at: chat (3 of 12)" */
function pieceLine(ui, panel, side, index) {
  const [word, labels] = side ? [panel.keyWord, panel.keys] : [panel.queryWord, panel.queries];
  const piece = shown(labels[index]);
  const clipped = piece.length > 120 ? `${Array.from(piece).slice(0, 119).join("")}…` : piece;
  return line(word, clipped, fill(ui.texts.position, { position: index + 1, total: labels.length }));
}

function line(name, value, note = "") {
  const row = document.createElement("div");
  const strong = document.createElement("bdi"); // isolates right-to-left pieces from the words around them
  strong.textContent = value;
  const small = Object.assign(document.createElement("small"), { textContent: note && ` ${note}` });
  row.append(name && `${name}: `, strong, small);
  return row;
}

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

// ---- choosing --------------------------------------------------------------------------------------------------

function onClick(ui, plate, event) {
  const found = hit(plate, event);
  if (!found) return;
  ui.find(".blocks").focus({ preventScroll: true });
  const head = { panel: plate.panel, layer: found.layer, head: found.head };
  if (event.ctrlKey || event.metaKey || event.shiftKey) toggle(ui, head);
  else choose(ui, head);
}

function onKey(ui, event) {
  if (!ui.choice || event.ctrlKey || event.metaKey || event.altKey) return;
  const { panel, layer, head } = ui.cursor;
  const next = {
    ArrowLeft: () => step(ui, 0, -1),
    ArrowRight: () => step(ui, 0, 1),
    ArrowUp: () => step(ui, -1, 0),
    ArrowDown: () => step(ui, 1, 0),
    Home: () => ({ panel, layer, head: 0 }),
    End: () => ({ panel, layer, head: panel.heads - 1 }),
    " ": () => ui.cursor,
  }[event.key];
  if (!next) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  if (event.key === " ") toggle(ui, ui.cursor);
  else if (event.shiftKey) moveCursor(ui, next());
  else choose(ui, next());
}

function moveCursor(ui, cursor) {
  ui.cursor = cursor;
  drawCursor(ui);
  ui.find(".live").textContent = stateOf(ui, cursor);
}

/** The neighbour; beyond the edge of a panel, the near edge of the panel before or after it. */
function step(ui, layers, heads) {
  const { panel, layer, head } = ui.cursor;
  const to = { panel, layer: layer + layers, head: head + heads };
  const forward = layers + heads > 0;
  const inside = to.layer >= 0 && to.layer < panel.layers && to.head >= 0 && to.head < panel.heads;
  if (inside) return to;
  const other = ui.panels[ui.panels.indexOf(panel) + (forward ? 1 : -1)];
  if (!other) return ui.cursor;
  const near = (count) => (forward ? 0 : count - 1);
  return {
    panel: other,
    layer: layers ? near(other.layers) : Math.min(layer, other.layers - 1),
    head: heads ? near(other.heads) : Math.min(head, other.heads - 1),
  };
}

/** One head alone. */
function choose(ui, head) {
  if (ui.picks.length === 1 && String(choiceList(head)) === String(choiceList(ui.choice))) return;
  select(ui, head, alone(head));
}

/** Adds a head to the picks, or takes it off; the last one stays, and a head of another panel comes alone. */
function toggle(ui, head) {
  if (head.panel !== ui.choice.panel) return choose(ui, head);
  const rest = ui.picks.filter((pick) => !isSame(pick, head));
  if (rest.length < ui.picks.length) {
    const left = isSame(head, ui.choice) ? rest.at(-1) : ui.choice;
    return rest.length ? select(ui, { ...left, panel: head.panel }, rest, head) : undefined;
  }
  if (rest.length === mostPicks(ui)) return tell(ui, fill(ui.texts.too_many, { most: rest.length }));
  let slot = 0;
  while (rest.some((pick) => pick.slot === slot)) slot += 1;
  return select(ui, head, [...rest, { layer: head.layer, head: head.head, slot }]);
}

function pickLayer(ui) {
  const { panel, layer, head } = ui.choice;
  const count = Math.min(panel.heads, mostPicks(ui));
  const picks = Array.from({ length: count }, (_, each) => ({ layer, head: each, slot: each }));
  select(ui, head < count ? ui.choice : { panel, layer, head: 0 }, picks);
}

function select(ui, choice, picks, cursor = choice) {
  Object.assign(ui, { choice, picks, cursor });
  drawChoice(ui);
  ui.find(".live").textContent = picks.length > 1 ? `${stateOf(ui, cursor)} ${whereText(ui)}` : wording(ui, choice);
  reportLater(ui);
}

/** Whether a head is drawn, in words. */
function stateOf(ui, head) {
  const on = head.panel === ui.choice.panel && ui.picks.some((pick) => isSame(pick, head));
  return fill(on ? ui.texts.on : ui.texts.off, { where: wording(ui, head) });
}

function show(ui, view) {
  ui.view = view;
  drawChoice(ui);
  remember(ui);
}

function tell(ui, text) {
  ui.find(".word").textContent = ui.find(".live").textContent = text;
}

const remember = ({ id, start, choice, picks, view }) =>
  remembered.set(id, { start, choice: choiceList(choice), picks, view });

/** Tells Python once the person has stopped stepping, and only what it does not know. */
function reportLater(ui) {
  remember(ui);
  clearTimeout(ui.timer);
  const choice = choiceList(ui.choice);
  if (String(choice) === String(ui.reported)) return;
  ui.timer = setTimeout(() => ui.setStateValue("choice", (ui.reported = choice)), REPORT_AFTER);
}
