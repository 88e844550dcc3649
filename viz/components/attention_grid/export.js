// Saves the large picture: as SVG, as PNG of that, or its numbers as CSV. Nothing is asked of the server.

const FILE = { font: "Helvetica, Arial, sans-serif", room: 900, narrowest: 520, margin: 20, cell: 12, scale: 3 };

async function save(ui, format) {
  const blob = {
    svg: () => new Blob([pictureSvg(ui)], { type: "image/svg+xml" }),
    png: () => rasterised(pictureSvg(ui)),
    csv: () => new Blob(["\ufeff", numbersCsv(ui)], { type: "text/csv" }), // the mark tells spreadsheets of UTF-8
  }[format];
  const url = URL.createObjectURL(await blob());
  Object.assign(document.createElement("a"), { href: url, download: `${fileName(ui)}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function fileName({ choice: { panel, layer, head }, picks, view }) {
  const heads = picks.length > 1 ? `${picks.length}-heads` : `layer-${layer + 1}-head-${head + 1}`;
  return `regard-${panel.kind}-${heads}${{ heatmap: "", lines: "-lines", across: "-lines-across" }[view]}`;
}

async function rasterised(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = Object.assign(new Image(), { src: url });
  await image.decode();
  const [width, height] = [image.width * FILE.scale, image.height * FILE.scale];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/** The picture between title, axes and legend. It is laid out anew, so that the window does not matter to the file and
 * every label has room. */
function pictureSvg(ui) {
  const { panel } = ui.choice;
  const context = svgContext(document.createElement("canvas").getContext("2d"));
  const theme = { ...ui.theme, font: FILE.font };
  const heads = headsOn(ui);
  const picture = ui.view === "heatmap" ? heatmapFile(ui, theme, context) : linesFile(ui, theme, context, heads);
  const width = Math.max(Math.ceil(picture.width), FILE.narrowest);
  let y = FILE.margin;
  const text = (words, x, down, font = 12) => {
    Object.assign(context, { font: `${font}px ${FILE.font}`, fillStyle: theme.text, textAlign: "left" });
    context.fillText(words, x, down);
  };
  const paragraph = (words, font) => {
    const left = words.split(" ");
    context.font = `${font}px ${FILE.font}`;
    while (left.length) {
      let count = 1;
      while (count < left.length && context.measureText(left.slice(0, count + 1).join(" ")).width <= width) count += 1;
      text(left.splice(0, count).join(" "), 0, y + font * 0.7, font);
      y += Math.round(font * 1.4);
    }
    y += 4;
  };

  context.translate(FILE.margin, 0);
  paragraph(whereText(ui), 16);
  if (heads.length > 1 && !picture.named.length) paragraph(heads.map(({ name }) => name).join("; "), 12);
  axisWords(ui).forEach((words) => paragraph(words, 12));
  y += 8;
  picture.draw(y);
  y += Math.ceil(picture.height) + 16;
  let x = 0;
  for (const { name, colour, dash } of picture.named) {
    context.font = `12px ${FILE.font}`;
    const wide = 34 + context.measureText(name).width;
    if (x && x + wide > width) [x, y] = [0, y + 18];
    stroke(context, colour, dash, x, y + 8);
    text(name, x + 34, y + 8);
    x += wide + 18;
  }
  if (x) y += 28;
  picture.scale(y, text);
  y += 38;
  legendWords(ui).forEach((words) => paragraph(words, 12));
  return context.document({
    width: width + 2 * FILE.margin,
    height: y + FILE.margin,
    background: theme.background,
    font: FILE.font,
    title: whereText(ui),
    hatch: { ground: hex(theme.hatchGround), line: hex(theme.hatchLine) },
  });
}

function heatmapFile(ui, theme, context) {
  const { panel } = ui.choice;
  const labels = 2 * LABEL.longest;
  const room = Math.max(FILE.room, FILE.cell * panel.keys.length + labels);
  const most = { ...LARGEST, height: Math.max(LARGEST.height, FILE.cell * panel.queries.length) };
  const layout = matrixLayout({ context, font: FILE.font }, panel, room, 1, most);
  const tile = { width: layout.widthPx, height: layout.heightPx };
  return {
    width: layout.left + tile.width + layout.right,
    height: layout.top + tile.height,
    named: [], // colours of heads mean nothing here
    draw(y) {
      const plate = { context, panel, left: layout.left, top: layout.top + y, tile };
      fillCells(theme, plate, ui.levelsShown, layout.cellPx);
      drawCellLines(theme, plate, layout, 1);
      drawLabels(theme, plate, { ...layout, top: plate.top }, 1);
    },
    scale(y, text) {
      const wide = 240;
      for (let at = 0; at < wide; at += 4) {
        context.fillStyle = hex(theme.ramp[Math.round((at / (wide - 4)) * ui.levels)]);
        context.fillRect(at, y, 4, 12);
      }
      for (const weight of TICKS) text(String(weight), wide * Math.sqrt(weight), y + 22, 11);
    },
  };
}

function linesFile(ui, theme, context, heads) {
  const { panel } = ui.choice;
  const layout = linesLayout({ context, font: FILE.font }, panel, heads.length, ui.view === "across", FILE.room);
  return {
    width: layout.width,
    height: layout.height,
    named: heads,
    draw(y) {
      context.save();
      context.translate(0, y);
      drawLines(theme, context, panel, heads, layout, null, ui.levels);
      context.restore();
    },
    scale(y, text) {
      [FAINTEST, 0.25, 0.5, 0.75, 1].forEach((weight, at) => {
        context.globalAlpha = weight;
        stroke(context, theme.text, [], at * 90, y + 12);
        context.globalAlpha = 1;
        text(String(weight), at * 90 + 34, y + 12);
      });
    },
  };
}

/** A sample of a head's line, for the legend. */
function stroke(context, colour, dash, x, y) {
  Object.assign(context, { strokeStyle: colour, lineWidth: THICK });
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 28, y);
  context.stroke();
  context.setLineDash([]);
}

/** Cells as one path for each colour, equal neighbours in a row as one rectangle. */
function fillCells(theme, { context, panel, left, top, tile }, levels, size) {
  const columns = panel.keys.length;
  const fills = new Map();
  panel.queries.forEach((_, query) => {
    const levelAt = (key) => (isMasked(panel, query, key) ? -1 : levels[query * columns + key]);
    for (let key = 0, end; key < columns; key = end) {
      const level = levelAt(key);
      for (end = key + 1; end < columns && levelAt(end) === level; ) end += 1;
      if (level === 0) continue; // the ground
      if (!fills.has(level)) fills.set(level, []);
      fills.get(level).push([left + key * size, top + query * size, (end - key) * size, size]);
    }
  });
  context.fillStyle = hex(theme.ramp[0]);
  context.fillRect(left, top, tile.width, tile.height);
  for (const [level, boxes] of fills) {
    context.fillStyle = level < 0 ? `url(#hatch) ${hex(theme.hatchGround)}` : hex(theme.ramp[level]);
    context.beginPath();
    for (const box of boxes) context.rect(...box);
    context.fill();
  }
}

/** Every weight that the large picture is made of; cells that the mask forbids are left out. */
function numbersCsv(ui) {
  const { panel } = ui.choice;
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const columns = panel.keys.length;
  const lines = [whereText(ui), `query = ${panel.queryWord}, key = ${panel.keyWord}`, ui.texts.precision];
  const rows = ["layer,head,query_position,query,key_position,key,weight"];
  for (const { layer, head, levels } of headsOn(ui)) {
    panel.queries.forEach((query, row) =>
      panel.keys.forEach((key, column) => {
        if (isMasked(panel, row, column)) return;
        const weight = ((levels[row * columns + column] / ui.levels) ** 2).toFixed(6);
        rows.push([layer + 1, head + 1, row + 1, quoted(query), column + 1, quoted(key), weight].join());
      }),
    );
  }
  return [...lines.map((line) => `# ${line}`), ...rows, ""].join("\n");
}
