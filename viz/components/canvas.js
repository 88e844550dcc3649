// What the canvas components share: one matrix with its labels, colours, words, pointing, and the life of a component.
// A wrapper puts this text before its own script, so both are one module and nothing is exported here.
// Lengths are CSS pixels unless they are called device pixels (`...Px`): a canvas is painted in device pixels.

const WIDE = 820; // from this width on, things stand side by side
const LARGEST = { cell: 56, height: 640 }; // of a matrix with labels
/** Type grows with the page's: a presentation, or a reader who set larger letters. */
const typed = (size) => (size * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;
const LABEL = {
  // font sizes and width of the pieces around it
  get min() {
    return typed(10);
  },
  get max() {
    return typed(14);
  },
  get longest() {
    return typed(120);
  },
};
const TICKS = [0, 0.04, 0.25, 0.5, 1]; // of weights, on the square-root scale
const weightTicks = () => TICKS.map((weight) => [String(weight), Math.sqrt(weight)]);

const memories = new WeakMap(); // mount element -> ui; the element outlives every message

/**
 * The life of a component: one ui for each mount element, drawn anew when its width changes. Returns what Streamlit
 * calls when the component goes.
 */
function mount({ parentElement, data, setStateValue }, { root, createUi, drawAll, receive, fail, onRoomKey }) {
  let ui = memories.get(parentElement);
  if (!ui) {
    memories.set(parentElement, (ui = createUi(parentElement.querySelector(root))));
    ui.observer = new ResizeObserver(() => {
      if (Math.abs(ui.root.clientWidth - ui.width) >= 1) drawAll(ui);
    });
    ui.observer.observe(ui.root);
    ui.roomKey = (event) => presentationKey(event) && onRoomKey?.(ui, event);
    document.addEventListener("keydown", ui.roomKey);
  }
  ui.setStateValue = setStateValue;
  receive(ui, data).catch((error) => fail(ui, error));
  return () => {
    clearTimeout(ui.timer);
    ui.observer.disconnect();
    document.removeEventListener("keydown", ui.roomKey);
    ui.sequence += 1; // nothing that is still being inflated may draw
    memories.delete(parentElement);
  };
}

/** Whether the page is shown to a room, where arrow keys need no focus, and nothing else has a use for this one. */
function presentationKey(event) {
  const shown = getComputedStyle(document.documentElement).getPropertyValue("--regard-presenting");
  const others = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=combobox]";
  return Boolean(shown) && event.key.startsWith("Arrow") && !event.defaultPrevented && !event.target.closest?.(others);
}

let left = -Infinity; // when a link was last clicked
document.addEventListener("click", ({ target }) => target.closest?.("a[href]") && (left = performance.now()), true);

/**
 * Tells when the page has nothing to do and is not being left. Streamlit sends what is told meanwhile under the name of
 * the page that is still on the screen, and the answer to that undoes the click on another page.
 */
function whenIdle(ui, tell) {
  const app = document.querySelector("[data-test-script-state]");
  const busy = () => app && app.dataset.testScriptState !== "notRunning";
  if (!busy() && performance.now() - left > 2000) return tell();
  const observer = new MutationObserver(() => {
    if (busy()) return;
    observer.disconnect();
    if (ui.root.isConnected) tell();
  });
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}

/**
 * For whoever waits for the picture: tests by the attributes, Python by the stamp of the message and the colour scheme,
 * once it is seen.
 */
function markDrawn(ui) {
  Object.assign(ui.root.dataset, { drawn: (ui.drawn += 1), seq: ui.sequence });
  const drawn = [ui.stamp, ui.theme?.scheme ?? ""];
  if (String(drawn) === String(ui.toldDrawn)) return;
  ui.toldDrawn = drawn;
  requestAnimationFrame(() => setTimeout(() => whenIdle(ui, () => ui.setStateValue("drawn", drawn))));
}

// ---- the message ---------------------------------------------------------------------------------------------------

/** [header, body]: header length (4 bytes, little-endian), header (JSON), then numbers, deflated if it says so. */
function readMessage(data) {
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size))), data.subarray(4 + size)];
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

// ---- layout --------------------------------------------------------------------------------------------------------

function createPlate(element) {
  const add = (tag, name) => element.appendChild(Object.assign(document.createElement(tag), { className: name }));
  const marks = ["row", "column", "chosen"].map((name) => add("div", `mark ${name}`));
  const canvas = element.insertBefore(document.createElement("canvas"), marks[0]);
  marks.forEach((mark) => (mark.hidden = true));
  return { element, canvas, context: canvas.getContext("2d"), row: marks[0], column: marks[1], chosen: marks[2] };
}

/**
 * Sizes of one matrix with labels: the cell is a whole number of device pixels (unless that wastes much room), and the
 * labels follow from it. Column labels lie flat if they fit, lean at 45 degrees while there is room, and else stand
 * upright. `pen` is a context and a font family to measure with.
 */
function matrixLayout(pen, { queries, keys, rows = queries.length }, room, scale, most = LARGEST, margin = 8) {
  const limit = Math.min(LABEL.longest, room * 0.27);
  const left = Math.ceil(widest(pen, queries, LABEL.max, limit)) + 10;
  const fit = Math.min((room - left - margin) / Math.max(keys.length, 1), most.height / Math.max(rows, 1));
  const fitPx = Math.min(fit, most.cell) * scale;
  const cellPx = Math.max(2, fitPx < 4 ? fitPx : Math.floor(fitPx));
  const pitch = cellPx / scale;
  const fontWithin = (size) => Math.min(LABEL.max, Math.max(LABEL.min, Math.floor(size)));
  const flat = widest(pen, keys, LABEL.max, limit) <= pitch - 4;
  const lean = !flat && pitch >= LABEL.min * 1.45;
  const angle = flat ? 0 : lean ? Math.PI / 4 : Math.PI / 2;
  const rowFont = fontWithin(pitch * 0.72);
  const columnFont = flat ? LABEL.max : fontWithin(lean ? pitch / 1.45 : pitch * 0.72);
  const long = widest(pen, keys, columnFont, limit);
  const top = Math.ceil(flat ? columnFont : long * Math.sin(angle) + columnFont * 0.6) + 8;
  const right = lean ? Math.max(4, Math.ceil(long * Math.cos(angle) - pitch / 2) + 6) : 4;
  const widthPx = Math.round(cellPx * keys.length);
  // Leaning labels reach beyond the last column: once that is known, the cells make room for it.
  if (right > margin && left + widthPx / scale + right > room) {
    return matrixLayout(pen, { queries, keys, rows }, room, scale, most, right + 8);
  }
  const heightPx = Math.round(cellPx * rows);
  return { cellPx, pitch, rowFont, columnFont, angle, limit, left, top, right, widthPx, heightPx };
}

function widest({ context, font: family }, labels, font, limit) {
  context.font = `${font}px ${family}`;
  return Math.min(limit, Math.max(0, ...labels.map((label) => context.measureText(shown(label).slice(0, 200)).width)));
}

// ---- drawing -------------------------------------------------------------------------------------------------------

/** Whether a query must not look at a key; `reach`, where there is a mask, counts the keys that each one may see. */
const isMasked = ({ reach }, query, key) => Boolean(reach) && key >= reach[query];

/** Fills a plate with one matrix: cells, lines, labels, and what `hit` needs to know. */
function drawMatrix(theme, plate, panel, levels, layout, scale) {
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
  paintMatrix(theme, context, panel, levels, plate.left, plate.top, plate.tile, 7 * scale);
  drawCellLines(theme, plate, layout, scale);
  drawLabels(theme, plate, layout, scale);
}

/** Thin lines between large cells, so that a lecturer can count them, and a frame. */
function drawCellLines(theme, plate, { cellPx, pitch }, scale) {
  const { context, left, top, tile } = plate;
  context.strokeStyle = theme.border;
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

/** Of labels in rows of this pitch, every how many-th has room. */
const every = (font, pitch) => Math.ceil((font * 1.1) / pitch);

/** Row and column labels; every second, third ... one only where they would overlap. */
function drawLabels(theme, plate, { pitch, rowFont, columnFont, angle, limit, left, top, gap = 6 }, scale) {
  const { context, panel } = plate;
  context.save();
  context.scale(scale, scale);
  context.fillStyle = theme.text;
  context.textBaseline = "middle";
  context.font = `${rowFont}px ${theme.font}`;
  context.textAlign = "right"; // explicit, and "left" below: a right-to-left piece must not change sides
  for (let row = 0; row < panel.queries.length; row += every(rowFont, pitch)) {
    context.fillText(cut(context, shown(panel.queries[row]), limit), left - gap, top + (row + 0.5) * pitch);
  }
  context.font = `${columnFont}px ${theme.font}`;
  context.textAlign = angle ? "left" : "center";
  for (let column = 0; column < panel.keys.length; column += every(columnFont, pitch)) {
    context.save();
    context.translate(left + (column + 0.5) * pitch, top - (angle ? 6 : 4 + columnFont / 2));
    context.rotate(-angle);
    context.fillText(cut(context, shown(panel.keys[column]), limit), 0, 0);
    context.restore();
  }
  context.restore();
}

/** Paints levels at (x, y), all in device pixels. A pixel that covers several cells shows the largest of them. */
function paintMatrix(theme, context, panel, levels, x, y, { width, height }, hatch) {
  const rows = panel.queries.length;
  const columns = panel.keys.length;
  if (!rows || !columns) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const { ramp, hatchLine, hatchGround } = theme;
  const period = Math.max(3, Math.round(hatch));
  const across = Array.from({ length: width }, (_, column) => cellsUnder(column, width, columns));
  for (let row = 0; row < height; row++) {
    const [firstRow, endRow] = cellsUnder(row, height, rows);
    for (let column = 0; column < width; column++) {
      const [first, end] = across[column];
      let largest = 0;
      if (panel.reach && first >= panel.reach[endRow - 1]) {
        pixels[row * width + column] = (row + column) % period < period / 4 ? hatchLine : hatchGround;
        continue;
      }
      for (let query = firstRow; query < endRow; query++) {
        for (let cell = query * columns + first; cell < query * columns + end; cell++) {
          if (levels[cell] > largest) largest = levels[cell];
        }
      }
      pixels[row * width + column] = ramp[largest];
    }
  }
  context.putImageData(image, x, y);
}

/** The cells [first, end) under pixel `at` of `pixels`: one when enlarged, all that it touches when reduced. */
function cellsUnder(at, pixels, cells) {
  const first = Math.floor((at * cells) / pixels);
  return [first, pixels >= cells ? first + 1 : Math.ceil(((at + 1) * cells) / pixels)];
}

/** Marks along a scale: [text, share of its length]. */
function drawTicks(element, ticks) {
  const spans = ticks.map(([text, share]) => {
    const tick = document.createElement("span");
    tick.textContent = text;
    tick.style.left = `${100 * share}%`;
    tick.className = share === 0 ? "first" : share === 1 ? "last" : "";
    return tick;
  });
  element.replaceChildren(...spans);
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

// ---- colours -------------------------------------------------------------------------------------------------------

/** What Streamlit's theme says, and the ramp of `levels` + 1 colours through the stops of its scheme. */
function readTheme(root, palette, levels) {
  const style = getComputedStyle(root);
  const variable = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const background = rgb(variable("--st-background-color", "#ffffff"));
  const text = variable("--st-text-color", "#31333f");
  const dark = 0.299 * background[0] + 0.587 * background[1] + 0.114 * background[2] < 128;
  const scheme = dark ? "dark" : "light";
  const towardsText = (share) => packed(mix(background, rgb(text), share));
  return {
    scheme,
    ramp: rampOf(palette[scheme], levels),
    text,
    background: variable("--st-background-color", "#ffffff"),
    font: variable("--st-font", "sans-serif"),
    border: variable("--st-border-color", "#d0d0d0"),
    primary: variable("--st-primary-color", "#1f5fa8"),
    hatchGround: towardsText(0.06),
    hatchLine: towardsText(0.3),
  };
}

function rampOf(colours, levels) {
  const stops = colours.map(rgb);
  return Uint32Array.from({ length: levels + 1 }, (_, level) => packed(between(stops, level / levels)));
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

// ---- words ---------------------------------------------------------------------------------------------------------

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

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

// ---- pointing ------------------------------------------------------------------------------------------------------

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

/** Where the two lines around a cell are: at least three pixels apart, so that the cell can be seen between them. */
const band = (start, size) => [start - Math.max(1, (5 - size) / 2), Math.max(size + 2, 5)];
