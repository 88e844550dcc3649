// The attention grid in the browser: unpacks the message of __init__.py, draws it, answers hover, click and keys.
// Words: a *panel* is one kind of attention; a *tile* is one small head; a *plate* is a canvas with marks laid over it.
// Lengths are CSS pixels unless they are called device pixels (`...Px`): a canvas is painted in device pixels.

const REPORT_AFTER = 350; // ms without a new choice until Python hears of it
const WIDE = 820; // from this width on, the chosen head stands beside the overview
const GAP = 3; // between tiles
const MIN_PITCH = 22; // room for the label of a column of tiles
const MAX_TILE_CELL = 14; // so that a sentence of one piece is not a block
const MAX_CELL = 56; // of the chosen head
const MAX_LARGE = 640; // height of the chosen head
const LABEL = { min: 10, max: 14, longest: 120 }; // font sizes and width of the pieces around the chosen head
const TICKS = [0, 0.04, 0.25, 0.5, 1];

const memories = new WeakMap(); // mount element -> ui; the element outlives every message
// Streamlit may mount the component anew with an old message, when it moves on the page: what Python knows of the
// choice must survive that. Each mount has a new `key` and may have its own copy of this module: hence the header's id.
const remembered = (globalThis.regardAttentionGrid ??= new Map());

export default function attentionGrid({ parentElement, data, setStateValue }) {
  let ui = memories.get(parentElement);
  if (!ui) memories.set(parentElement, (ui = createUi(parentElement.querySelector(".attention-grid"))));
  ui.setStateValue = setStateValue;
  receive(ui, data).catch((error) => showMessage(ui, ui.texts?.failed ?? String(error)));
  return () => {
    clearTimeout(ui.timer);
    ui.observer.disconnect();
    ui.sequence += 1; // nothing that is still being inflated may draw
    memories.delete(parentElement);
  };
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

function createPlate(element) {
  const add = (tag, name) => element.appendChild(Object.assign(document.createElement(tag), { className: name }));
  const marks = ["row", "column", "chosen"].map((name) => add("div", `mark ${name}`));
  const canvas = element.insertBefore(document.createElement("canvas"), marks[0]);
  marks.forEach((mark) => (mark.hidden = true));
  return { element, canvas, context: canvas.getContext("2d"), row: marks[0], column: marks[1], chosen: marks[2] };
}

// ---- the message -----------------------------------------------------------------------------------------------

async function receive(ui, data) {
  const sequence = (ui.sequence += 1);
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
  ui.texts = header.texts;
  const body = data.subarray(4 + size);
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

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
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

/**
 * Sizes of the chosen head: the cell is a whole number of device pixels (unless that wastes much room), and the labels
 * follow from it. Column labels lie flat if they fit, lean at 45 degrees while there is room, and else stand upright.
 */
function largeLayout(ui, room, scale, margin = 8) {
  const { queries, keys } = ui.choice.panel;
  const limit = Math.min(LABEL.longest, room * 0.27);
  const left = Math.ceil(widest(ui, queries, LABEL.max, limit)) + 10;
  const fit = Math.min((room - left - margin) / Math.max(keys.length, 1), MAX_LARGE / Math.max(queries.length, 1));
  const fitPx = Math.min(fit, MAX_CELL) * scale;
  const cellPx = Math.max(2, fitPx < 4 ? fitPx : Math.floor(fitPx));
  const pitch = cellPx / scale;
  const fontWithin = (size) => Math.min(LABEL.max, Math.max(LABEL.min, Math.floor(size)));
  const flat = widest(ui, keys, LABEL.max, limit) <= pitch - 4;
  const lean = !flat && pitch >= LABEL.min * 1.45;
  const angle = flat ? 0 : lean ? Math.PI / 4 : Math.PI / 2;
  const rowFont = fontWithin(pitch * 0.72);
  const columnFont = flat ? LABEL.max : fontWithin(lean ? pitch / 1.45 : pitch * 0.72);
  const long = widest(ui, keys, columnFont, limit);
  const top = Math.ceil(flat ? columnFont : long * Math.sin(angle) + columnFont * 0.6) + 8;
  const right = lean ? Math.max(4, Math.ceil(long * Math.cos(angle) - pitch / 2) + 6) : 4;
  const widthPx = Math.round(cellPx * keys.length);
  // Leaning labels reach beyond the last column: once that is known, the cells make room for it.
  if (right > margin && left + widthPx / scale + right > room) return largeLayout(ui, room, scale, right + 8);
  const heightPx = Math.round(cellPx * queries.length);
  return { cellPx, pitch, rowFont, columnFont, angle, limit, left, top, right, widthPx, heightPx };
}

function widest(ui, labels, font, limit) {
  const { context } = ui.large;
  context.font = `${font}px ${ui.theme.font}`;
  return Math.min(limit, Math.max(0, ...labels.map((label) => context.measureText(shown(label).slice(0, 200)).width)));
}

// ---- drawing ---------------------------------------------------------------------------------------------------

function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.palette) return undefined; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui);
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
      paintMatrix(ui, context, panel, headOf(panel, layer, head), x, y, size, 4 * scale);
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

/** For whoever waits for the picture: tests by the attributes, Python by the stamp of the message and the colour scheme, once it is seen. */
function markDrawn(ui) {
  Object.assign(ui.root.dataset, { drawn: (ui.drawn += 1), seq: ui.sequence });
  const drawn = [ui.stamp, ui.theme?.scheme ?? ""];
  if (String(drawn) === String(ui.toldDrawn)) return;
  ui.toldDrawn = drawn;
  requestAnimationFrame(() => setTimeout(() => ui.setStateValue("drawn", drawn)));
}

function drawLarge(ui) {
  const { panel, layer, head } = ui.choice;
  const scale = devicePixelRatio;
  const plate = ui.large;
  const detail = ui.find(".detail").clientWidth;
  const layout = largeLayout(ui, detail, scale);
  const { context } = plate;
  plate.panel = panel;
  plate.tile = { width: layout.widthPx, height: layout.heightPx };
  plate.left = Math.round(layout.left * scale);
  plate.top = Math.round(layout.top * scale);
  // An overview of one head, so that hit testing is the same for both.
  Object.assign(plate, { layers: 1, heads: 1, pitchX: layout.widthPx, pitchY: layout.heightPx });
  const right = Math.round(layout.right * scale);
  const bottom = Math.ceil(Math.max(2, (layout.rowFont - layout.pitch) / 2 + 3) * scale); // for the last label
  sizeCanvas(plate, plate.left + layout.widthPx + right, plate.top + layout.heightPx + bottom, scale);
  unhover(ui, plate);
  const weights = headOf(panel, layer, head);
  paintMatrix(ui, context, panel, weights, plate.left, plate.top, plate.tile, 7 * scale);
  drawCellLines(ui, plate, layout, scale);
  drawLabels(ui, plate, layout, scale);
  plate.canvas.dataset.seq = ui.sequence;
}

/** Thin lines between large cells, so that a lecturer can count them, and a frame. */
function drawCellLines(ui, plate, { cellPx, pitch }, scale) {
  const { context, left, top, tile } = plate;
  context.strokeStyle = ui.theme.border;
  context.lineWidth = Math.max(1, Math.floor(scale));
  context.strokeRect(left - 0.5, top - 0.5, tile.width + 1, tile.height + 1);
  if (pitch < 9) return;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (let x = left + cellPx; x < left + tile.width; x += cellPx) context.rect(x, top, 0, tile.height);
  for (let y = top + cellPx; y < top + tile.height; y += cellPx) context.rect(left, y, tile.width, 0);
  context.stroke();
  context.globalAlpha = 1;
}

/** Row and column labels; every second, third ... one only where they would overlap. */
function drawLabels(ui, plate, { pitch, rowFont, columnFont, angle, limit, left, top }, scale) {
  const { context, panel } = plate;
  const every = (font) => Math.ceil((font * 1.1) / pitch);
  context.save();
  context.scale(scale, scale);
  context.fillStyle = ui.theme.text;
  context.textBaseline = "middle";
  context.font = `${rowFont}px ${ui.theme.font}`;
  context.textAlign = "right"; // explicit, and "left" below: a right-to-left piece must not change sides
  for (let row = 0; row < panel.queries.length; row += every(rowFont)) {
    context.fillText(cut(context, shown(panel.queries[row]), limit), left - 6, top + (row + 0.5) * pitch);
  }
  context.font = `${columnFont}px ${ui.theme.font}`;
  context.textAlign = angle ? "left" : "center";
  for (let column = 0; column < panel.keys.length; column += every(columnFont)) {
    context.save();
    context.translate(left + (column + 0.5) * pitch, top - (angle ? 6 : 4 + columnFont / 2));
    context.rotate(-angle);
    context.fillText(cut(context, shown(panel.keys[column]), limit), 0, 0);
    context.restore();
  }
  context.restore();
}

/** Paints one head at (x, y), all in device pixels. A pixel that covers several cells shows the largest of them. */
function paintMatrix(ui, context, panel, weights, x, y, { width, height }, hatch) {
  const rows = panel.queries.length;
  const columns = panel.keys.length;
  if (!rows || !columns) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const { ramp, hatchLine, hatchGround } = ui.theme;
  const period = Math.max(3, Math.round(hatch));
  const across = Array.from({ length: width }, (_, column) => cellsUnder(column, width, columns));
  for (let row = 0; row < height; row++) {
    const [firstRow, endRow] = cellsUnder(row, height, rows);
    for (let column = 0; column < width; column++) {
      const [first, end] = across[column];
      let level = 0;
      if (panel.reach && first >= panel.reach[endRow - 1]) {
        pixels[row * width + column] = (row + column) % period < period / 4 ? hatchLine : hatchGround;
        continue;
      }
      for (let query = firstRow; query < endRow; query++) {
        for (let cell = query * columns + first; cell < query * columns + end; cell++) {
          if (weights[cell] > level) level = weights[cell];
        }
      }
      pixels[row * width + column] = ramp[level];
    }
  }
  context.putImageData(image, x, y);
}

/** The cells [first, end) under pixel `at` of `pixels`: one when enlarged, all that it touches when reduced. */
function cellsUnder(at, pixels, cells) {
  const first = Math.floor((at * cells) / pixels);
  return [first, pixels >= cells ? first + 1 : Math.ceil(((at + 1) * cells) / pixels)];
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
  const ticks = TICKS.map((weight) => {
    const tick = document.createElement("span");
    tick.textContent = String(weight);
    tick.style.left = `${100 * Math.sqrt(weight)}%`;
    tick.className = weight === 0 ? "first" : weight === 1 ? "last" : "";
    return tick;
  });
  ui.find(".ticks").replaceChildren(...ticks);
}

function paintStrip(canvas, width, height, colour) {
  Object.assign(canvas, { width, height });
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = colour(x, y);
  canvas.getContext("2d").putImageData(image, 0, 0);
}

function sizeCanvas(plate, width, height, scale) {
  Object.assign(plate.canvas, { width, height }); // also clears it
  Object.assign(plate.canvas.style, { width: `${width / scale}px`, height: `${height / scale}px` });
}

function place(mark, left, top, width, height) {
  Object.assign(mark.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  mark.hidden = false;
}

function showMessage(ui, text) {
  const message = ui.find(".message");
  message.textContent = text;
  message.hidden = !text;
  ui.find(".overview").hidden = ui.find(".detail").hidden = Boolean(text);
}

// ---- colours ---------------------------------------------------------------------------------------------------

function readTheme(ui) {
  const style = getComputedStyle(ui.root);
  const variable = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const background = rgb(variable("--st-background-color", "#ffffff"));
  const text = variable("--st-text-color", "#31333f");
  const dark = 0.299 * background[0] + 0.587 * background[1] + 0.114 * background[2] < 128;
  const stops = ui.palette[dark ? "dark" : "light"].map(rgb);
  const ramp = Uint32Array.from({ length: ui.levels + 1 }, (_, level) => packed(between(stops, level / ui.levels)));
  const towardsText = (share) => packed(mix(background, rgb(text), share));
  return {
    scheme: dark ? "dark" : "light",
    ramp,
    text,
    font: variable("--st-font", "sans-serif"),
    border: variable("--st-border-color", "#d0d0d0"),
    hatchGround: towardsText(0.06),
    hatchLine: towardsText(0.3),
  };
}

/** Any CSS colour as [red, green, blue], read off a painted pixel. */
function rgb(colour) {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

const mix = (from, to, share) => from.map((value, channel) => Math.round(value + (to[channel] - value) * share));
const packed = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0; // little-endian RGBA

function between(stops, share) {
  const at = Math.min(share * (stops.length - 1), stops.length - 1.000001);
  return mix(stops[Math.floor(at)], stops[Math.floor(at) + 1], at % 1);
}

// ---- words -----------------------------------------------------------------------------------------------------

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

const wording = (ui, { panel, layer, head }) =>
  fill(ui.texts.where, { title: panel.title, layer: layer + 1, head: head + 1 });

/** A piece with its invisible parts made visible; nothing else is changed. */
function shown(piece) {
  if (!piece) return "∅";
  if (!piece.trim()) return "␣".repeat(Math.min(piece.length, 3));
  return piece.replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));
}

/** Cuts by code point, so that no emoji is halved, until the text and its ellipsis fit. */
function cut(context, text, limit) {
  if (context.measureText(text).width <= limit) return text;
  const points = Array.from(text.slice(0, 200));
  while (points.length && context.measureText(points.join("") + "…").width > limit) points.pop();
  return points.join("") + "…";
}

/** Two or three digits: the square root came in steps of 1 / ui.levels. */
function weightText(ui, level) {
  const weight = (level / ui.levels) ** 2;
  const digits = !level ? "0" : weight >= 0.1 ? weight.toFixed(2) : weight.toPrecision(weight >= 0.001 ? 2 : 1);
  return fill(ui.texts.approx, { weight: digits });
}

// ---- pointing --------------------------------------------------------------------------------------------------

/** The tile under the pointer and the cells [rows, columns] that its pixel covers; null beside the tiles. */
function hit(plate, event) {
  if (!plate.panel || !plate.tile) return null;
  const { panel, tile } = plate;
  const box = plate.canvas.getBoundingClientRect();
  const scale = plate.canvas.width / box.width;
  const x = Math.floor((event.clientX - box.left) * scale) - plate.left;
  const y = Math.floor((event.clientY - box.top) * scale) - plate.top;
  const head = Math.floor(x / plate.pitchX);
  const layer = Math.floor(y / plate.pitchY);
  const tileX = x - head * plate.pitchX;
  const tileY = y - layer * plate.pitchY;
  if (x < 0 || y < 0 || head >= plate.heads || layer >= plate.layers) return null;
  const inside = tileX < tile.width && tileY < tile.height && panel.queries.length && panel.keys.length;
  const cell = inside && [
    cellsUnder(tileY, tile.height, panel.queries.length),
    cellsUnder(tileX, tile.width, panel.keys.length),
  ];
  return { head, layer, cell };
}

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
  // At least three pixels between the lines, so that the cell can be seen between them.
  const band = (start, size) => [start - Math.max(1, (5 - size) / 2), Math.max(size + 2, 5)];
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
