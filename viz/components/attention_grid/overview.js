// @ts-check
// All heads at a glance: tiles, what is known of each, and marks around those that are chosen.

import { fill } from "../shared/format.js";
import { paintMatrix, place, sizeCanvas } from "../shared/matrix.js";
import { WIDE } from "../shared/sizes.js";
import { headOf, isSame, mostBits } from "./panels.js";
import { tellAbout } from "./words.js";

/** @import { Block, DrawnHead, HeadNote, Panel, Place, Plate, Ui } from "./types.js" */

const GAP = 3; // between tiles
const MIN_PITCH = 22; // room for the label of a column of tiles
const MAX_TILE_CELL = 14; // so that a sentence of one piece is not a block
const MARK = { bar: 3, font: 9, height: 19 }; // under a tile: a bar of entropy and a short label

/**
 * How large a tile may be, from the width of the component and the number of blocks that fit side by side.
 * @param {Ui} ui
 * @param {number} width
 */
export function roomForTiles(ui, width) {
  const heads = Math.max(...ui.panels.map((panel) => panel.heads));
  const tileIn = (room) => (room - labelSpace(ui)) / heads - GAP;
  if (width >= WIDE) return Math.min(80, tileIn(Math.min(Math.max(width * 0.38, 320), 600)));
  const side = (count) => tileIn((width - 20 * (count - 1)) / count);
  let count = ui.panels.length;
  while (count > 1 && side(count) < 34) count -= 1;
  return Math.min(80, side(count));
}

/** @param {Ui} ui */
const labelSpace = (ui) => ui.tileFont * 2.2;

/**
 * Size of a tile in device pixels: whole pixels per cell where there are two or more, else the room is filled.
 * All panels share one cell size, so that equal lengths look equal; only a much shorter panel gets larger cells.
 * @param {Ui} ui
 * @param {Panel} panel
 * @param {number} roomPx
 * @param {number} scale
 */
function tileSize(ui, panel, roomPx, scale) {
  const length = ({ queries, keys }) => Math.max(queries.length, keys.length, 1);
  const longest = Math.max(...ui.panels.map(length));
  const fit = (roomPx / longest) * (2 * length(panel) <= longest ? 2 : 1);
  const cell = fit >= 2 ? Math.min(Math.floor(fit), Math.round(MAX_TILE_CELL * scale)) : fit;
  const side = (count) => Math.max(Math.round(count * cell), Math.round(3 * scale));
  return { width: side(panel.keys.length), height: side(panel.queries.length) };
}

/** @param {Ui} ui @param {Block} plate @param {number} room */
export function drawBlock(ui, plate, room) {
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

/**
 * Below a tile: its head's entropy as a bar, full at the most that there can be, and its label.
 * @param {Ui} ui
 * @param {Block} plate
 * @param {HeadNote} note
 * @param {number} x
 * @param {number} y
 */
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

/** @param {HTMLElement} mark @param {Plate} plate @param {Place} place @param {number} space */
function placeAround(mark, plate, { layer, head }, space) {
  const [left, top, width, height] = [
    plate.left + head * plate.pitchX,
    plate.top + layer * plate.pitchY,
    plate.tile.width,
    plate.tile.height,
  ].map((px) => px / devicePixelRatio);
  place(mark, left - space, top - space, width + 2 * space, height + 2 * space);
}

/** @param {Block} plate @param {DrawnHead} head */
export function outline(plate, head) {
  const mark = Object.assign(document.createElement("div"), { className: "mark pick" });
  placeAround(mark, plate, head, 3);
  Object.assign(mark.style, { borderColor: head.colour, borderStyle: head.border });
  return mark;
}

/**
 * A ring around the head where the keyboard stands, when Shift has led it away from the chosen one.
 * @param {Ui} ui
 */
export function drawCursor(ui) {
  for (const plate of ui.blocks) {
    const away = ui.cursor.panel !== ui.choice.panel || !isSame(ui.cursor, ui.choice);
    const here = away && plate.panel === ui.cursor.panel;
    plate.chosen.hidden = !here;
    if (here) placeAround(plate.chosen, plate, ui.cursor, 5);
  }
  tellAbout(ui, ui.cursor);
}
