// The attention grid in the browser: unpacks the message of __init__.py, draws it, answers hover, click and keys.
// Words: a *panel* is one kind of attention; a *tile* is one small head; a *plate* is a canvas with marks laid over it.
// canvas.js, which comes before this text, holds what it shares with other components.

const REPORT_AFTER = 350; // ms without a new choice until Python hears of it
const GAP = 3; // between tiles
const MIN_PITCH = 22; // room for the label of a column of tiles
const MAX_TILE_CELL = 14; // so that a sentence of one piece is not a block

// Streamlit may mount the component anew with an old message, when it moves on the page: what Python knows of the
// choice must survive that. Each mount has a new `key` and may have its own copy of this module: hence the header's id.
const remembered = (globalThis.regardAttentionGrid ??= new Map());

export default function attentionGrid(component) {
  const fail = (ui, error) => showMessage(ui, ui.texts?.failed ?? String(error));
  return mount(component, { root: ".attention-grid", createUi, receive, fail });
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  const ui = { root, find, sequence: 0, drawn: 0, width: 0, panels: [], choice: null, reported: null, timer: 0 };
  ui.large = createPlate(find(".plate.large"));
  watchPointer(ui, ui.large);
  find(".blocks").onkeydown = (event) => onKey(ui, event);
  ui.observer = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - ui.width) >= 1) drawAll(ui);
  });
  ui.observer.observe(root);
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

const isMasked = ({ reach }, query, key) => reach !== null && key >= reach[query];

function headOf(panel, layer, head) {
  const size = panel.queries.length * panel.keys.length;
  return panel.levels.subarray((layer * panel.heads + head) * size, (layer * panel.heads + head + 1) * size);
}

/** The person's own choice, else Python's, else the first head; Python hears of it when it differs from its own. */
function adoptChoice(ui, header) {
  const ours = ui.choice ? choiceList(ui.choice) : remembered.get(header.id);
  ui.id = header.id;
  ui.reported ??= ours ? [] : header.choice; // mounted anew, we do not know what Python last heard
  ui.choice = (ours && locate(ui, ours)) || locate(ui, header.choice) || locate(ui, [null, 0, 0]);
  if (ui.choice) reportLater(ui);
}

function locate(ui, [kind, layer, head]) {
  const panel = kind === null ? ui.panels[0] : ui.panels.find((each) => each.kind === kind);
  return panel && layer < panel.layers && head < panel.heads ? { panel, layer, head } : null;
}

const choiceList = ({ panel, layer, head }) => [panel.kind, layer, head];

// ---- layout ----------------------------------------------------------------------------------------------------

function buildBlocks(ui) {
  unhover(ui, ui.large);
  const blocks = ui.find(".blocks");
  blocks.replaceChildren();
  ui.blocks = ui.panels.map((panel) => {
    const block = document.createElement("div");
    const title = block.appendChild(document.createElement("h4"));
    title.textContent = panel.title;
    blocks.appendChild(block);
    const plate = createPlate(block.appendChild(Object.assign(document.createElement("div"), { className: "plate" })));
    Object.assign(plate, { panel, layers: panel.layers, heads: panel.heads });
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
  ui.tileFont = 11;
  showMessage(ui, ui.choice ? "" : ui.texts.nothing);
  if (!ui.choice) return markDrawn(ui);
  ui.root.classList.toggle("wide", width >= WIDE);
  const room = roomForTiles(ui, width);
  for (const plate of ui.blocks) drawBlock(ui, plate, room);
  // The overview is as wide as its tiles, so that the help line breaks and the chosen head gets the rest.
  const overview = Math.max(...ui.blocks.map((plate) => plate.element.offsetWidth), 240);
  ui.find(".overview").style.width = width >= WIDE ? `${overview}px` : "";
  for (const plate of ui.blocks) plate.element.parentElement.style.maxWidth = `${Math.max(overview, 240)}px`;
  drawText(ui);
  drawLegend(ui);
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
  plate.pitchY = Math.max(size.height, px(ui.tileFont + 3)) + px(GAP);
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

/** What depends on the choice alone: the outline, the large head, the words and the data attributes. */
function drawChoice(ui) {
  const { panel, layer, head } = ui.choice;
  const scale = devicePixelRatio;
  for (const plate of ui.blocks) {
    plate.chosen.hidden = plate.panel !== panel;
    const x = plate.left + head * plate.pitchX;
    const y = plate.top + layer * plate.pitchY;
    const [left, top, width, height] = [x, y, plate.tile.width, plate.tile.height].map((px) => px / scale);
    if (plate.panel === panel) place(plate.chosen, left - 3, top - 3, width + 6, height + 6);
  }
  drawLarge(ui);
  const where = wording(ui, ui.choice);
  ui.find(".where").textContent = where;
  ui.find(".rows").textContent = fill(ui.texts.rows, { query_word: panel.queryWord });
  ui.find(".columns").textContent = fill(ui.texts.columns, { key_word: panel.keyWord });
  ui.find(".blocks").setAttribute("aria-label", `${ui.texts.aria} ${where}`);
  Object.assign(ui.root.dataset, { kind: panel.kind, layer, head });
  markDrawn(ui);
}

function drawLarge(ui) {
  const { panel, layer, head } = ui.choice;
  const pen = { context: ui.large.context, font: ui.theme.font };
  const layout = matrixLayout(pen, panel, ui.find(".detail").clientWidth, devicePixelRatio);
  unhover(ui, ui.large);
  drawMatrix(ui.theme, ui.large, panel, headOf(panel, layer, head), layout, devicePixelRatio);
  ui.large.canvas.dataset.seq = ui.sequence;
}

function drawText(ui) {
  ui.find(".help").textContent = ui.texts.help;
  ui.find(".words").textContent = ui.texts.legend;
  const hidden = ui.panels.find((panel) => panel.reach)?.hidden ?? "";
  ui.find(".hatched").hidden = !hidden;
  ui.find(".hatched span").textContent = hidden;
}

function drawLegend(ui) {
  paintStrip(ui.find(".ramp"), ui.levels + 1, 1, (x) => ui.theme.ramp[x]);
  const period = 6;
  paintStrip(ui.find(".swatch"), 18, 12, (x, y) => ((x + y) % period < 2 ? ui.theme.hatchLine : ui.theme.hatchGround));
  drawTicks(
    ui.find(".ticks"),
    TICKS.map((weight) => [String(weight), Math.sqrt(weight)]),
  );
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
  const found = hit(plate, event);
  unhover(ui, plate);
  if (!found?.cell) return;
  const large = plate === ui.large;
  const choice = large ? ui.choice : { panel: plate.panel, layer: found.layer, head: found.head };
  const cell = largestCell(plate.panel, headOf(plate.panel, choice.layer, choice.head), found.cell);
  const scale = devicePixelRatio;
  const left = (plate.left + found.head * plate.pitchX) / scale;
  const top = (plate.top + found.layer * plate.pitchY) / scale;
  const width = plate.tile.width / scale;
  const height = plate.tile.height / scale;
  const cellHeight = height / plate.panel.queries.length;
  const cellWidth = width / plate.panel.keys.length;
  const [rowTop, rowHeight] = band(top + cell.query * cellHeight, cellHeight);
  const [columnLeft, columnWidth] = band(left + cell.key * cellWidth, cellWidth);
  place(plate.row, large ? 0 : left, rowTop, large ? left + width : width, rowHeight);
  place(plate.column, columnLeft, large ? 0 : top, columnWidth, large ? top + height : height);
  showTip(ui, choice, cell, event);
}

function unhover(ui, plate) {
  plate.row.hidden = plate.column.hidden = true;
  ui.find(".tip").hidden = true;
}

function showTip(ui, choice, { query, key, level }, event) {
  const { panel } = choice;
  const tip = ui.find(".tip");
  const line = (name, value, note = "") => {
    const row = document.createElement("div");
    const strong = document.createElement("bdi"); // isolates right-to-left pieces from the words around them
    strong.textContent = value;
    const small = Object.assign(document.createElement("small"), { textContent: note && ` ${note}` });
    row.append(name && `${name}: `, strong, small);
    return row;
  };
  const nth = (index, all) => fill(ui.texts.position, { position: index + 1, total: all.length });
  const clipped = (piece) => (piece.length > 120 ? `${Array.from(piece).slice(0, 119).join("")}…` : piece);
  const impossible = isMasked(panel, query, key);
  const head = Object.assign(document.createElement("div"), { className: "head", textContent: wording(ui, choice) });
  tip.replaceChildren(
    head,
    line(panel.queryWord, clipped(shown(panel.queries[query])), nth(query, panel.queries)),
    line(panel.keyWord, clipped(shown(panel.keys[key])), nth(key, panel.keys)),
    impossible ? line("", panel.hidden) : line(ui.texts.weight, weightText(ui, level)),
  );
  tip.hidden = false;
  const box = ui.root.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  const left = x + 16 + tip.offsetWidth > box.width ? x - 16 - tip.offsetWidth : x + 16;
  const below = event.clientY + 16 + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
  tip.style.top = `${below ? y + 16 : y - 12 - tip.offsetHeight}px`;
}

// ---- choosing --------------------------------------------------------------------------------------------------

function onClick(ui, plate, event) {
  const found = hit(plate, event);
  if (!found) return;
  ui.find(".blocks").focus({ preventScroll: true });
  choose(ui, { panel: plate.panel, layer: found.layer, head: found.head });
}

function onKey(ui, event) {
  if (!ui.choice || event.ctrlKey || event.metaKey || event.altKey) return;
  const { panel, layer, head } = ui.choice;
  const next = {
    ArrowLeft: () => step(ui, 0, -1),
    ArrowRight: () => step(ui, 0, 1),
    ArrowUp: () => step(ui, -1, 0),
    ArrowDown: () => step(ui, 1, 0),
    Home: () => ({ panel, layer, head: 0 }),
    End: () => ({ panel, layer, head: panel.heads - 1 }),
  }[event.key];
  if (!next) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  choose(ui, next());
}

/** The neighbour; beyond the edge of a panel, the near edge of the panel before or after it. */
function step(ui, layers, heads) {
  const { panel, layer, head } = ui.choice;
  const to = { panel, layer: layer + layers, head: head + heads };
  const forward = layers + heads > 0;
  const inside = to.layer >= 0 && to.layer < panel.layers && to.head >= 0 && to.head < panel.heads;
  if (inside) return to;
  const other = ui.panels[ui.panels.indexOf(panel) + (forward ? 1 : -1)];
  if (!other) return ui.choice;
  const near = (count) => (forward ? 0 : count - 1);
  return {
    panel: other,
    layer: layers ? near(other.layers) : Math.min(layer, other.layers - 1),
    head: heads ? near(other.heads) : Math.min(head, other.heads - 1),
  };
}

function choose(ui, choice) {
  const same = String(choiceList(choice)) === String(choiceList(ui.choice));
  if (same) return;
  ui.choice = choice;
  drawChoice(ui);
  ui.find(".live").textContent = wording(ui, choice);
  reportLater(ui);
}

/** Tells Python once the person has stopped stepping, and only what it does not know. */
function reportLater(ui) {
  const choice = choiceList(ui.choice);
  remembered.set(ui.id, choice);
  clearTimeout(ui.timer);
  if (String(choice) === String(ui.reported)) return;
  ui.timer = setTimeout(() => ui.setStateValue("choice", (ui.reported = choice)), REPORT_AFTER);
}
