// The matrix sheet in the browser: unpacks the message of __init__.py, draws matrices small or one of them large, and
// answers pointer and keys. The canvas files, which come before this text with export.js, hold what it shares with
// other components.
// Words: an *axis* is what rows or columns are; *chosen* is what Python says is chosen on it, *pointed* what the
// pointer is at; a *sheet* is all mounts with the same name, and shows both everywhere. The *view* is what can be seen
// of a matrix: a small one is seen whole, an enlarged one through a window whose labels stay when the cells scroll.

const LEVELS = 254; // steps of a ramp; even, so that 0 has the middle colour of two signs
const HIDDEN = 255; // minus infinity
const ROOM = { rows: 420, columns: 400, numbers: 512, weights: 256, least: 3 }; // of a small matrix
const CELL = { row: 20, column: 34, number: 6, wide: 44, strip: 26, large: [50, 26] }; // largest pitches
const NAMES = { font: 12, row: 92, column: 76 }; // longest labels
const TALLEST = 0.62; // of an enlarged matrix, of the window's height

const sheets = (globalThis.regardMatrixSheets ??= new Map()); // name -> { chosen, pointed, uis }

/** Hands this script to the mounts (mount.js), also to those that came before it. */
export default function matrixSheetScript() {
  const script = (globalThis.regardMatrixSheet ??= { waiting: [] });
  script.draw ??= draw;
  script.waiting.splice(0).forEach((begin) => begin());
}

function draw(component) {
  const fail = (ui, error) => showMessage(ui, ui.texts?.failed ?? String(error));
  const leave = mount(component, { root: ".matrix-sheet", createUi, drawAll, receive, fail });
  const ui = memories.get(component.parentElement);
  return () => {
    ui.shared?.uis.delete(ui);
    leave();
  };
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  const save = make("div", { className: "save", role: "group" });
  const ui = { root, find, save, sequence: 0, drawn: 0, width: 0, figures: [], large: null };
  root.onkeydown = (event) => event.key === "Escape" && ui.large && enlarge(ui, null);
  return ui;
}

function createFigure(ui) {
  const figure = {
    sign: make("span", { className: "sign" }),
    title: make("b"),
    shape: make("span", { className: "shape" }),
    button: make("button", { type: "button" }),
    rows: make("span", { className: "rows" }),
    columns: make("span", { className: "columns" }),
    part: make("i"),
    canvas: make("canvas"),
    marks: make("div", { className: "marks" }),
    ramp: make("canvas", { className: "ramp", ariaHidden: "true" }),
    ends: [make("span"), make("span")],
    note: make("p", { className: "note" }),
    cursor: { row: 0, column: 0 },
  };
  figure.context = figure.canvas.getContext("2d");
  figure.view = make("div", { className: "view" }, figure.canvas, figure.marks);
  figure.inner = make("div", {}, figure.view);
  figure.plate = make("div", { className: "plate", tabIndex: 0, role: "application" }, figure.inner);
  figure.element = make(
    "div",
    { className: "item" },
    figure.sign,
    make(
      "figure",
      {},
      make("p", { className: "name" }, figure.title, figure.shape, figure.button),
      make("p", { className: "note axes" }, figure.rows, figure.columns),
      make("div", { className: "part" }, figure.part),
      figure.plate,
      make("div", { className: "scale" }, figure.ends[0], figure.ramp, figure.ends[1]),
      figure.note,
    ),
  );
  const { plate } = figure;
  figure.button.onclick = () => enlarge(ui, ui.large === figure ? null : figure);
  plate.onclick = () => ui.large !== figure && enlarge(ui, figure);
  plate.onpointermove = plate.onpointerdown = (event) => pointAt(ui, figure, cellAt(figure, event));
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  plate.onpointerleave = (event) => event.pointerType !== "touch" && point(ui, figure, null);
  plate.onblur = () => point(ui, figure, null);
  plate.onscroll = () => ui.large === figure && (paint(ui, figure), showMarks(ui));
  plate.onkeydown = (event) => onKey(ui, figure, event);
  return figure;
}

// ---- the message ---------------------------------------------------------------------------------------------------

async function receive(ui, data) {
  const sequence = (ui.sequence += 1);
  const [header, body] = readMessage(data);
  ui.texts = header.texts;
  const bytes = header.deflated ? await inflate(body) : body.slice(); // a copy starts where a Float32Array may start
  if (sequence !== ui.sequence) return; // a newer message came in meanwhile
  Object.assign(ui, header);
  join(ui);
  let offset = 0;
  ui.matrices = ui.matrices.map((each) => {
    const matrix = { ...each, rows: ui.axes[each.rows], columns: ui.axes[each.columns] };
    matrix.values = new Float32Array(bytes.buffer, offset, matrix.rows.count * matrix.columns.count);
    offset += matrix.values.byteLength;
    matrix.levels = Uint8Array.from(matrix.values, (value) => levelOf(matrix, value));
    return matrix;
  });
  buildFigures(ui);
  drawAll(ui);
}

/** Colour follows the square root of a number's size, so that small numbers can be seen. */
function levelOf({ signed, limit }, value) {
  if (value === -Infinity) return HIDDEN;
  const root = Math.sign(value) * Math.sqrt(Math.min(Math.abs(value) / limit, 1));
  return Math.round(signed ? (LEVELS / 2) * (1 + root) : LEVELS * Math.max(root, 0));
}

function join(ui) {
  ui.shared?.uis.delete(ui);
  if (!sheets.has(ui.sheet)) sheets.set(ui.sheet, { chosen: {}, pointed: {}, uis: new Set() });
  ui.shared = sheets.get(ui.sheet);
  ui.shared.uis.add(ui);
  if (!ui.chosen) return;
  ui.shared.chosen = ui.chosen;
  ui.shared.uis.forEach(showMarks);
}

// ---- words and boxes -----------------------------------------------------------------------------------------------

/** A figure for each matrix; those that are there already stay, and with them the focus. */
function buildFigures(ui) {
  while (ui.figures.length < ui.matrices.length) ui.figures.push(createFigure(ui));
  ui.figures.length = ui.matrices.length;
  if (!ui.figures.includes(ui.large)) ui.large = null;
  const nodes = ui.figures.flatMap((figure, at) => {
    fillFigure(ui, figure, ui.matrices[at]);
    return ui.matrices[at].breaks ? [make("div", { className: "break" }), figure.element] : [figure.element];
  });
  nodes.push(ui.save);
  offerSaving(ui.save, ui.texts.save, sheetFiles(ui));
  const box = ui.find(".matrices");
  const same = nodes.length === box.children.length && ui.figures.every(({ element }) => box.contains(element));
  if (!same) box.replaceChildren(...nodes);
}

function fillFigure(ui, figure, matrix) {
  const { texts } = ui;
  const { rows, columns, part } = matrix;
  const [name, lower] = matrix.title.split("_");
  figure.matrix = matrix;
  figure.sign.textContent = matrix.sign;
  figure.title.replaceChildren(name, ...(lower ? [make("sub", { textContent: lower })] : []));
  figure.shape.textContent = `${rows.count} × ${columns.count}`;
  figure.rows.textContent = rows.word;
  figure.columns.textContent = columns.word;
  figure.note.textContent = matrix.note;
  figure.note.hidden = !matrix.note;
  const about = fill(texts.about, { title: matrix.title, rows: rows.word, columns: columns.word });
  figure.plate.ariaLabel = `${about} ${matrix.note} ${texts.aria}`;
  figure.cursor = { row: 0, column: 0 };
  const larger = part && part[2] !== columns.count; // else the part is marked on the cells themselves
  figure.part.parentElement.hidden = !larger;
  if (larger) {
    const [left, width] = [part[0], part[1] - part[0]].map((count) => `${(100 * count) / part[2]}%`);
    Object.assign(figure.part.style, { left, width });
  }
  const marks = [];
  for (const [along, axis] of [["row", rows], ["column", columns]]) {
    for (const name of axis.names) {
      for (const state of ["chosen", "pointed"]) {
        const look = state === "chosen" ? `mark chosen ${name}` : `mark ${along}`;
        marks.push({ along, name, state, element: make("div", { className: look, hidden: true }) });
      }
    }
  }
  figure.places = marks;
  figure.marks.replaceChildren(...marks.map(({ element }) => element));
}

function showMessage(ui, text) {
  ui.find(".message").textContent = text;
  ui.find(".message").hidden = !text;
}

// ---- layout --------------------------------------------------------------------------------------------------------

function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.figures.length) return; // hidden, or nothing has been unpacked yet: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.sequential, LEVELS);
  ui.theme.diverging = rampOf(ui.diverging[ui.theme.scheme], LEVELS);
  for (const figure of ui.figures) {
    const large = figure === ui.large;
    figure.element.classList.toggle("large", large);
    figure.button.textContent = large ? "×" : "⤢";
    figure.button.title = figure.button.ariaLabel = fill(large ? ui.texts.close : ui.texts.enlarge, {
      title: figure.matrix.title,
    });
    layOut(ui, figure, width - (figure.matrix.sign ? 28 : 0), large);
    paint(ui, figure);
    drawScale(ui, figure);
  }
  showMarks(ui);
  Object.assign(ui.root.dataset, { drawn: (ui.drawn += 1), seq: ui.sequence }); // for whoever waits for the picture
}

const within = (value, least, most) => Math.max(least, Math.min(value, most));

/** How far cells of a small matrix are apart, across and down: `fit` across is all that there is room for. */
function pitches({ rows, columns, wide }, fit) {
  const across = columns.labels
    ? within(ROOM.columns / columns.count, ROOM.least, CELL.column)
    : within(ROOM.numbers / columns.count, 1, CELL.number);
  const down = rows.labels
    ? within(ROOM.rows / rows.count, ROOM.least, wide ? CELL.strip : CELL.row)
    : within(ROOM.weights / rows.count, 0.5, CELL.number);
  return [Math.min(fit, wide ? CELL.wide : across), down];
}

/**
 * Where labels and cells of a matrix are, in CSS pixels: `left` and `top` of the cells, and the pitch of each way, from
 * the width that there is room for. A large one is seen through a window that is at most so tall.
 */
function placeFigure(matrix, pen, { room, scale, large = false, tallest = Infinity, pitchesOf = pitches }) {
  const { rows, columns } = matrix;
  const long = (axis, most) => widest(pen, axis.labels ?? [String(axis.count)], NAMES.font, most);
  const left = Math.ceil(long(rows, large ? 160 : NAMES.row)) + 8;
  const [pitchX, pitchY] = pitchesOf(matrix, (room - left - 4) / columns.count).map((pitch) =>
    pitch * scale < 4 ? pitch : Math.floor(pitch * scale) / scale, // whole device pixels for a cell that is not tiny
  );
  const length = columns.labels ? long(columns, large ? 120 : NAMES.column) : 0;
  const flat = !columns.labels || length <= pitchX - 4;
  const angle = flat ? 0 : pitchX >= 16 ? Math.PI / 4 : Math.PI / 2;
  const top = Math.ceil(flat ? NAMES.font : length * Math.sin(angle) + NAMES.font * 0.6) + 6;
  const over = angle === Math.PI / 4 ? Math.ceil(length * Math.cos(angle) - pitchX / 2) + 6 : 2; // of the last label
  const [width, height] = [pitchX * columns.count, pitchY * rows.count];
  const [viewWidth, viewHeight] = large ? [Math.min(width, room - left - 16), Math.min(height, tallest)] : [width, height];
  const right = within(over, 2, Math.max(2, room - left - viewWidth));
  return { scale, left, top, right, pitchX, pitchY, angle, length, viewWidth, viewHeight };
}

function layOut(ui, figure, room, large) {
  const { matrix } = figure;
  const scale = devicePixelRatio;
  const pen = { context: figure.context, font: ui.theme.font };
  const enlarged = (_, fit) => [within(fit, CELL.large[0], 2 * CELL.large[0]), CELL.large[1]];
  const window = large ? { large, tallest: innerHeight * TALLEST, pitchesOf: enlarged } : {};
  Object.assign(figure, placeFigure(matrix, pen, { room, scale, ...window }));
  const { left, top, right, viewWidth, viewHeight } = figure;
  const full = { width: figure.pitchX * matrix.columns.count, height: figure.pitchY * matrix.rows.count };
  const view = { width: viewWidth, height: viewHeight };
  const css = (node, width, height) => Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
  css(figure.view, left + view.width + right, top + view.height + 2);
  css(figure.inner, left + full.width + right, top + full.height + 2);
  css(figure.canvas, left + view.width + right, top + view.height + 2);
  figure.plate.style.maxHeight = large ? `${top + view.height + 20}px` : "";
  figure.canvas.width = Math.round((left + view.width + right) * scale);
  figure.canvas.height = Math.round((top + view.height + 2) * scale);
  Object.assign(figure.marks.style, { left: `${left}px`, top: `${top}px`, right: `${right}px`, bottom: "2px" });
}

// ---- drawing -------------------------------------------------------------------------------------------------------

function paint(ui, figure) {
  const { context, canvas, scale } = figure;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const ramp = figure.matrix.signed ? ui.theme.diverging : ui.theme.ramp;
  paintCells(ui.theme, figure, ramp);
  context.scale(scale, scale);
  drawGrid(ui.theme, figure);
  drawNumbers(ui.theme, figure, ramp);
  drawNames(ui.theme, figure);
  if (figure.matrix.part?.[2] === figure.matrix.columns.count) drawPart(ui.theme, figure);
}

/** The cells [first, end) under device pixel `at`: one when enlarged, all that it touches when reduced. */
function under(at, pitch, count) {
  const first = Math.min(Math.floor(at / pitch), count - 1);
  return [first, pitch >= 1 ? first + 1 : Math.min(Math.ceil((at + 1) / pitch), count)];
}

/** What of the matrix is seen, pixel by pixel. A pixel that covers several cells shows the one furthest from 0. */
function paintCells({ hatchLine, hatchGround }, figure, ramp) {
  const { matrix, context, scale, pitchX, pitchY, plate } = figure;
  const { levels, rows, columns, signed } = matrix;
  const [width, height] = [figure.viewWidth, figure.viewHeight].map((size) => Math.max(1, Math.round(size * scale)));
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const period = Math.max(3, Math.round(7 * scale));
  const zero = signed ? LEVELS / 2 : 0;
  const columnsAt = (x) => under(x + plate.scrollLeft * scale, pitchX * scale, columns.count);
  const across = Array.from({ length: width }, (_, x) => columnsAt(x));
  for (let y = 0; y < height; y++) {
    const [top, bottom] = under(y + plate.scrollTop * scale, pitchY * scale, rows.count);
    for (let x = 0; x < width; x++) {
      const [first, end] = across[x];
      let furthest = HIDDEN;
      for (let row = top; row < bottom; row++) {
        for (let cell = row * columns.count + first; cell < row * columns.count + end; cell++) {
          const level = levels[cell];
          if (level === HIDDEN) continue;
          if (furthest === HIDDEN || Math.abs(level - zero) > Math.abs(furthest - zero)) furthest = level;
        }
      }
      const hatched = (x + y) % period < period / 4 ? hatchLine : hatchGround;
      pixels[y * width + x] = furthest === HIDDEN ? hatched : ramp[furthest];
    }
  }
  context.putImageData(image, Math.round(figure.left * scale), Math.round(figure.top * scale));
}

/** The rows or columns that can be seen: [first, end). */
const seen = (scroll, length, pitch, { count }) => [
  Math.floor(scroll / pitch),
  Math.min(Math.ceil((scroll + length) / pitch), count),
];
const seenRows = ({ plate, viewHeight, pitchY, matrix }) => seen(plate.scrollTop, viewHeight, pitchY, matrix.rows);
const seenColumns = ({ plate, viewWidth, pitchX, matrix }) => seen(plate.scrollLeft, viewWidth, pitchX, matrix.columns);
const rowTop = (figure, row) => figure.top + row * figure.pitchY - figure.plate.scrollTop;
const columnLeft = (figure, column) => figure.left + column * figure.pitchX - figure.plate.scrollLeft;

/** A frame, and thin lines between cells that are large enough to be counted. */
function drawGrid(theme, figure) {
  const { context, left, top, pitchX, pitchY, viewWidth, viewHeight, scale } = figure;
  Object.assign(context, { strokeStyle: theme.border, lineWidth: 1 / scale });
  context.strokeRect(left - 0.5 / scale, top - 0.5 / scale, viewWidth + 1 / scale, viewHeight + 1 / scale);
  context.beginPath();
  const line = (x, y, width, height) => context.rect(x, y, width, height);
  const [firstColumn, endColumn] = seenColumns(figure);
  const [firstRow, endRow] = seenRows(figure);
  for (let at = firstColumn + 1; pitchX >= 9 && at < endColumn; at++) line(columnLeft(figure, at), top, 0, viewHeight);
  for (let at = firstRow + 1; pitchY >= 9 && at < endRow; at++) line(left, rowTop(figure, at), viewWidth, 0);
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
}

/** Clips to the cells while something is drawn. */
function inside(figure, drawing) {
  const { context, left, top, viewWidth, viewHeight } = figure;
  context.save();
  context.beginPath();
  context.rect(left, top, viewWidth, viewHeight);
  context.clip();
  drawing(context);
  context.restore();
}

const sizeOf = (limit) => (limit < 99.5 ? 2 : limit < 999.5 ? 1 : 0);

/** Numbers in the cells, where they fit. */
function drawNumbers(theme, figure, ramp) {
  const { context, matrix, pitchX, pitchY } = figure;
  const digits = sizeOf(matrix.limit);
  const longest = `${matrix.signed ? "−" : ""}${matrix.limit.toFixed(digits)}`;
  context.font = `10px ${theme.font}`;
  const size = Math.floor(Math.min((10 * (pitchX - 4)) / context.measureText(longest).width, pitchY * 0.65, 12));
  if (size < 9) return;
  context.font = `${size}px ${theme.font}`;
  const inkOn = standingOut(theme);
  inside(figure, () => {
    Object.assign(context, { textAlign: "center", textBaseline: "middle" });
    for (let row = seenRows(figure)[0]; row < seenRows(figure)[1]; row++) {
      for (let column = seenColumns(figure)[0]; column < seenColumns(figure)[1]; column++) {
        const cell = row * matrix.columns.count + column;
        const level = matrix.levels[cell];
        const colour = level === HIDDEN ? theme.hatchGround : ramp[level];
        context.fillStyle = inkOn(colour);
        const text = level === HIDDEN ? "−∞" : plain(matrix.values[cell], digits);
        context.fillText(text, columnLeft(figure, column) + pitchX / 2, rowTop(figure, row) + pitchY / 2 + 0.5);
      }
    }
  });
}

const light = ([red, green, blue]) => 0.299 * red + 0.587 * green + 0.114 * blue;

/** Which of the theme's two colours for text and page stands out on a packed colour. */
function standingOut({ background, text }) {
  const [page, ink] = [background, text].map((colour) => light(rgb(colour)));
  return (colour) => {
    const lightness = light([colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]);
    return Math.abs(lightness - page) > Math.abs(lightness - ink) ? background : text;
  };
}

/** Labels of rows and columns, or numbers at round distances. */
function drawNames(theme, figure) {
  const { context, matrix, left, top, pitchX, pitchY, angle, viewWidth, viewHeight } = figure;
  const { rows, columns } = matrix;
  const font = within(Math.floor(pitchY * 0.8), 9, NAMES.font);
  Object.assign(context, { fillStyle: theme.text, textBaseline: "middle", textAlign: "right" });
  context.font = `${rows.labels ? font : 10}px ${theme.font}`;
  const [first, end] = seenRows(figure);
  const rowStep = rows.labels ? every(font, pitchY) : stepOf(12, pitchY);
  for (let row = first - (first % rowStep); row < end; row += rowStep) {
    const y = rowTop(figure, row) + (rowStep > 1 && !rows.labels ? Math.min(5, pitchY / 2 + 4) : pitchY / 2);
    if (y < top || y > top + viewHeight) continue;
    context.fillText(rows.labels ? cut(context, shown(rows.labels[row]), left - 6) : row + 1, left - 5, y);
  }
  const [start, stop] = seenColumns(figure);
  const columnStep = columns.labels ? (angle ? every(NAMES.font, pitchX) : 1) : stepOf(30, pitchX);
  context.font = `${columns.labels ? NAMES.font : 10}px ${theme.font}`;
  context.textAlign = angle ? "left" : "center";
  for (let column = start - (start % columnStep); column < stop; column += columnStep) {
    const x = columnLeft(figure, column) + pitchX / 2;
    if (x < left || x > left + viewWidth) continue;
    if (!columns.labels && columnStep > 1) context.textAlign = "left";
    context.save();
    context.translate(columns.labels || columnStep === 1 ? x : columnLeft(figure, column), top - (angle ? 5 : 8));
    context.rotate(-angle);
    context.fillText(columns.labels ? cut(context, shown(columns.labels[column]), figure.length) : column + 1, 0, 0);
    context.restore();
  }
}

/** How many cells lie between two numbers that are `apart` pixels from each other or more: a power of 2. */
const stepOf = (apart, pitch) => 2 ** Math.max(0, Math.ceil(Math.log2(apart / pitch)));

/** The columns that are the head's own, between two lines and under a bar. */
function drawPart(theme, figure) {
  const [first, end] = figure.matrix.part;
  const [from, to] = [columnLeft(figure, first), columnLeft(figure, end)];
  figure.context.fillStyle = theme.primary;
  const [start, stop] = [from, to].map((x) => within(x, figure.left, figure.left + figure.viewWidth));
  figure.context.fillRect(start, figure.top - 3, stop - start, 3);
  inside(figure, (context) => {
    for (const x of [from, to]) context.fillRect(x - 0.75, figure.top, 1.5, figure.viewHeight);
  });
}

function drawScale(ui, figure) {
  const ramp = figure.matrix.signed ? ui.theme.diverging : ui.theme.ramp;
  paintStrip(figure.ramp, LEVELS + 1, 1, (x) => ramp[x]);
  scaleEnds(figure.matrix).forEach((end, at) => (figure.ends[at].textContent = end));
}

function scaleEnds({ limit, signed }) {
  const end = String(Number(limit.toPrecision(3)));
  return [signed ? `−${end}` : "0", end];
}

/** A number with a true minus sign; 0 has no sign. */
function plain(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
}

/** All the digits that a float32 is sure of. */
const exact = (value) => String(Number(value.toPrecision(7))).replace("-", "−");

// ---- pointing ------------------------------------------------------------------------------------------------------

function cellAt(figure, event) {
  const { matrix, left, top, pitchX, pitchY, plate } = figure;
  const box = figure.canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left - left, event.clientY - box.top - top];
  if (x < 0 || y < 0 || x >= figure.viewWidth || y >= figure.viewHeight) return null;
  const row = Math.floor((y + plate.scrollTop) / pitchY);
  const column = Math.floor((x + plate.scrollLeft) / pitchX);
  return row < matrix.rows.count && column < matrix.columns.count ? { row, column } : null;
}

/** Does nothing while the pointer stays in a cell. */
function pointAt(ui, figure, cell) {
  const { cursor } = figure;
  const same = cell && cursor.row === cell.row && cursor.column === cell.column;
  if (!same || ui.find(".tip").hidden) point(ui, figure, cell);
}

/** Points at a cell, here and wherever its row or column is; null points at nothing. Returns what it is, in words. */
function point(ui, figure, cell) {
  const { rows, columns, values } = figure.matrix;
  const tip = ui.find(".tip");
  const boxes = [figure.canvas, ui.root].map((node) => node.getBoundingClientRect()); // before anything moves
  const names = (axis, at) => axis.names.map((name) => [name, at]);
  ui.shared.pointed = cell ? Object.fromEntries([...names(rows, cell.row), ...names(columns, cell.column)]) : {};
  ui.shared.uis.forEach(showMarks);
  tip.hidden = !cell;
  if (!cell) return "";
  figure.cursor = cell;
  const value = values[cell.row * columns.count + cell.column];
  const label = (axis, at) => (axis.labels ? shown(axis.labels[at]) : String(at + 1));
  const parts = [[rows.word, label(rows, cell.row)], [columns.word, label(columns, cell.column)]];
  const number = value === -Infinity ? ui.texts.hidden : exact(value);
  const line = ([word, text]) => make("div", {}, `${word}: `, make("bdi", { textContent: text }));
  tip.replaceChildren(...parts.map(line), make("strong", { textContent: number }));
  placeTip(ui, tip, figure, cell, boxes);
  return `${parts.map((part) => part.join(": ")).join(", ")}: ${number}`;
}

/** Below the cell, on the side where there is more room; its size need not be known. */
function placeTip(ui, tip, figure, { row, column }, [canvas, root]) {
  const x = canvas.left - root.left + columnLeft(figure, column);
  const y = canvas.top - root.top + rowTop(figure, row) + figure.pitchY + 10;
  const onLeft = x > ui.width * 0.6;
  tip.style.left = onLeft ? "auto" : `${x + figure.pitchX + 10}px`;
  tip.style.right = onLeft ? `${ui.width - x + 10}px` : "auto";
  tip.style.top = `${y}px`;
}

/** Puts frames and lines where the sheet's chosen and pointed rows and columns are. */
function showMarks(ui) {
  for (const figure of ui.figures) {
    if (!figure.pitchX) continue; // it has not been laid out yet
    const { pitchX, pitchY, plate, matrix } = figure;
    for (const { along, name, state, element } of figure.places) {
      const at = ui.shared[state][name];
      const row = along === "row";
      element.hidden = at === undefined || at >= (row ? matrix.rows : matrix.columns).count;
      if (element.hidden) continue;
      const [start, size] = row ? [at * pitchY - plate.scrollTop, pitchY] : [at * pitchX - plate.scrollLeft, pitchX];
      const [from, length] = band(start, size);
      if (row) place(element, 0, from, figure.viewWidth, length);
      else place(element, from, 0, length, figure.viewHeight);
    }
  }
}

function onKey(ui, figure, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { rows, columns } = figure.matrix;
  const { row, column } = figure.cursor;
  const to = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns.count - 1 },
  }[event.key];
  if (event.key === "Enter") enlarge(ui, ui.large === figure ? null : figure);
  if (!to && event.key !== "Enter") return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  const cell = to ?? figure.cursor;
  cell.row = within(cell.row, 0, rows.count - 1);
  cell.column = within(cell.column, 0, columns.count - 1);
  bringIntoView(figure, cell);
  ui.find(".live").textContent = point(ui, figure, cell);
}

/** Scrolls the window of an enlarged matrix so that the cell is in it. */
function bringIntoView({ plate, pitchX, pitchY, viewWidth, viewHeight }, { row, column }) {
  plate.scrollLeft = within(plate.scrollLeft, (column + 1) * pitchX - viewWidth, column * pitchX);
  plate.scrollTop = within(plate.scrollTop, (row + 1) * pitchY - viewHeight, row * pitchY);
}

/** Shows one matrix large, in place, and the others small; null shows all small. */
function enlarge(ui, figure) {
  const before = ui.large;
  ui.large = figure;
  point(ui, figure ?? before, null);
  drawAll(ui);
  const { plate, element, cursor } = figure ?? before;
  if (figure) bringIntoView(figure, cursor);
  plate.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}
