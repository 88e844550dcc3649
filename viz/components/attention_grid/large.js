// The large picture: one head or the average of several as a heat map, or their weights as lines; what stands around
// it, and what is read off it. lines.js, which draws the lines, comes before this text, grid.js, which calls it, after.

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
  ui.large.canvas.dataset.seq = ui.sequence;
}

function paintLines(ui, { canvas, context }, focus = null) {
  context.fillStyle = ui.theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.scale(devicePixelRatio, devicePixelRatio);
  drawLines(ui.theme, context, ui.choice.panel, headsOn(ui), ui.lines, focus, ui.levels);
  context.restore();
}

/** The mean of several heads, in levels; of one head its own. */
function average(heads) {
  if (heads.length === 1) return heads[0].levels;
  return heads[0].levels.map((_, cell) => {
    const squares = heads.reduce((sum, { levels }) => sum + levels[cell] ** 2, 0);
    return Math.round(Math.sqrt(squares / heads.length)); // a level is proportional to sqrt(weight)
  });
}

// ---- words around it ---------------------------------------------------------------------------------------------

/** What stands on the two sides of the large picture. */
function axisWords({ choice: { panel }, texts, view }) {
  const [query, key] = { lines: [texts.left, texts.right], across: [texts.above, texts.below] }[view] ?? [
    texts.rows,
    texts.columns,
  ];
  return [fill(query, { query_word: panel.queryWord }), fill(key, { key_word: panel.keyWord })];
}

/** What colour or opacity say and, where there is a mask, what it does. */
function legendWords({ choice: { panel }, texts, view }) {
  const lines = fill(texts.lines_legend, { faintest: FAINTEST });
  const [words, masked] = view === "heatmap" ? [texts.legend, panel.hidden] : [lines, texts.lines_masked];
  return panel.reach ? [words, masked] : [words];
}

/** The scale of colours, or that of opacity in the colour of the first head. */
function drawLegend(ui, [{ colour }]) {
  const { ramp, background, hatchLine, hatchGround } = ui.theme;
  const heatmap = ui.view === "heatmap";
  const ends = [rgb(background), rgb(colour)];
  const faint = (share) => packed(mix(...ends, share < FAINTEST ? 0 : share));
  paintStrip(ui.find(".ramp"), ui.levels + 1, 1, (x) => (heatmap ? ramp[x] : faint(x / ui.levels)));
  paintStrip(ui.find(".swatch"), 18, 12, (x, y) => ((x + y) % 6 < 2 ? hatchLine : hatchGround));
  const ticks = heatmap ? TICKS : [0, 0.25, 0.5, 0.75, 1];
  drawTicks(
    ui.find(".ticks"),
    ticks.map((weight) => [String(weight), heatmap ? Math.sqrt(weight) : weight]),
  );
}

// ---- reading it --------------------------------------------------------------------------------------------------

/** Shows only the lines of one word in the large picture, with their numbers; null brings all of them back. */
function focusOn(ui, focus) {
  if (String([focus?.side, focus?.index]) === String([ui.focus?.side, ui.focus?.index])) return;
  ui.focus = focus;
  if (focus) paintLines(ui, ui.single, focus);
  ui.single.canvas.hidden = !focus;
  tellWord(ui);
}

/** The line below the large picture: the word that is pointed at, in full, or what one can do. */
function tellWord(ui) {
  const { panel } = ui.choice;
  const hint = ui.view === "heatmap" ? ui.texts.heatmap_hint : ui.texts.lines_hint;
  ui.find(".word").replaceChildren(ui.focus ? pieceLine(ui, panel, ui.focus.side, ui.focus.index) : hint);
}

/** Arrow keys in the large picture go from cell to cell, or along the words and from side to side. */
function onLargeKey(ui, event) {
  if (!ui.choice || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") unhover(ui, ui.large);
  const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const { queries, keys } = ui.choice.panel;
  if (!way || !queries.length || !keys.length) return;
  const [down, right] = way;
  event.preventDefault();
  const limited = (index, count) => Math.max(0, Math.min(index, count - 1));
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

/** Scrolls a place of the large picture into sight. */
function reveal(ui, [x, y]) {
  const { chosen } = ui.large;
  place(chosen, x - 40, y - 40, 80, 80);
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  chosen.hidden = true;
}

/** For screen readers: the three words to which the lines of the chosen head lead, if there are any. */
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
