// @ts-check
// The line views: a row of words for the queries, one for the keys, and a line for each weight. They stand in columns,
// queries left, or lie across, queries above.
// Words: *along* follows a row of words, *depth* goes from the queries (0) to the keys (the span); a side is 0 for the
// queries, 1 for the keys; the *focus* {side, index} is the word whose lines alone are drawn, with their numbers.

import { cut, shown, within } from "../shared/format.js";
import { isMasked, widest } from "../shared/matrix.js";
import { LABEL } from "../shared/sizes.js";

/** @import { Pen } from "../shared/types.js" */
/** @import { DrawnHead, Focus, Labelled, Plate, Spot, Theme } from "./types.js" */

export const FAINTEST = 0.05; // weight below which there is no line
export const SMALLEST = 0.01; // weight below which no number is written
export const THICK = 1.75; // of a line; 1 where words are dense, which browsers also draw three times as fast
const DENSE = 16; // pixels from word to word
export const DASHES = [[], [12, 6], [3, 5]]; // when the colours have been used up, and the names that CSS has for them:
export const BORDERS = ["solid", "dashed", "dotted"];
const NUMBER = 11; // font size
const WORD_GAP = 7; // between a word and its lines

/**
 * Sizes of a line view, in CSS pixels, from a context and a font family to measure with.
 * @param {Pen} pen
 * @param {Labelled} panel
 * @param {number} heads
 * @param {boolean} across
 * @param {number} room
 */
export function linesLayout(pen, { queries, keys }, heads, across, room) {
  const limit = Math.min(LABEL.longest, room * 0.27);
  const most = Math.max(queries.length, keys.length, 1);
  const numberWidth = widest(pen, ["0.00"], NUMBER, limit) + 6;
  const words = (font) => {
    pen.context.font = `${font}px ${pen.font}`;
    return [queries, keys].map((side) => side.map((label) => cut(pen.context, shown(label), limit)));
  };
  const longest = (side, font) => Math.ceil(widest(pen, side, font, limit));
  if (!across) {
    const pitch = within(600 / most, LABEL.min * 1.3, 30);
    const font = within(Math.floor(pitch * 0.72), LABEL.min, LABEL.max);
    const x = longest(queries, font) + WORD_GAP + 2;
    const rest = x + longest(keys, font) + WORD_GAP + 2;
    const span = Math.max(heads * numberWidth + 70, Math.min(room - rest, 440));
    const size = { width: rest + span, height: pitch * most + 4 };
    return { across, pitch, font, angle: 0, words: words(font), x, y: 2, span, number: numberWidth, ...size };
  }
  const both = [...queries, ...keys];
  const flat = longest(both, LABEL.max) + 8 <= (room - 8) / most;
  const overhang = longest(both, LABEL.max) * Math.SQRT1_2;
  const lean = !flat && (room - 8 - overhang) / most >= LABEL.min * 1.45;
  const angle = flat ? 0 : lean ? Math.PI / 4 : Math.PI / 2;
  const pitch = within((room - 8 - (lean ? overhang : 0)) / most, LABEL.min * 1.3, 90);
  const font = flat ? LABEL.max : within(Math.floor(pitch / (lean ? 1.45 : 1.3)), LABEL.min, LABEL.max);
  const high = (side) => Math.ceil(longest(side, font) * Math.sin(angle) + font) + WORD_GAP;
  const turned = pitch < numberWidth; // then the numbers stand upright
  const number = turned ? numberWidth : NUMBER + 3;
  const span = Math.max(heads * number + 70, 260);
  const width = 8 + pitch * most + (lean ? longest(both, font) * Math.SQRT1_2 : 0);
  const [x, y, height] = [4, high(queries), high(queries) + span + high(keys)];
  return { across, pitch, font, angle, words: words(font), x, y, span, number, turned, width, height };
}

/**
 * Where a place along the words and in depth is, in the picture.
 * @param {{ across: boolean, x: number, y: number }} layout
 * @param {number} along
 * @param {number} depth
 * @returns {[number, number]}
 */
export const placeOf = ({ across, x, y }, along, depth) => (across ? [x + along, y + depth] : [x + depth, y + along]);

/**
 * Draws lines, words and, with a focus, numbers. `heads` are {levels, colour, dash}, `top` is the number of levels.
 * @param {Theme} theme
 * @param {any} context
 * @param {Labelled} panel
 * @param {Pick<DrawnHead, "levels" | "colour" | "dash">[]} heads
 * @param {ReturnType<typeof linesLayout>} layout
 * @param {Focus | null} focus
 * @param {number} top
 */
export function drawLines(theme, context, panel, heads, layout, focus, top) {
  const { across, pitch, font, angle, words, span, number, turned } = layout;
  const columns = panel.keys.length;
  const at = (along, depth) => placeOf(layout, along, depth);
  const middle = (index) => (index + 0.5) * pitch;
  const thick = pitch < DENSE ? 1 : THICK;
  const apart = Math.min(thick * 1.6, (pitch * 0.7) / heads.length); // so that equal lines of two heads are both seen
  const zone = focus ? heads.length * number + 4 : 0; // lines end where the numbers begin
  const [from, to] = focus?.side ? [zone, span] : [0, span - zone];
  const opacity = Float32Array.from({ length: top + 1 }, (_, level) => (level / top) ** 2);
  const faintest = opacity.findIndex((weight) => weight >= FAINTEST - 1e-6);
  const [firstQuery, endQuery] = focus?.side === 0 ? [focus.index, focus.index + 1] : [0, panel.queries.length];
  const [firstKey, endKey] = focus?.side === 1 ? [focus.index, focus.index + 1] : [0, columns];
  context.lineWidth = thick;
  heads.forEach(({ levels, colour, dash }, order) => {
    const shift = (order - (heads.length - 1) / 2) * apart;
    context.strokeStyle = colour;
    context.setLineDash(dash);
    for (let query = firstQuery; query < endQuery; query++) {
      for (let key = firstKey; key < endKey; key++) {
        const level = levels[query * columns + key];
        if (level < faintest) continue;
        context.globalAlpha = opacity[level];
        context.beginPath();
        context.moveTo(...at(middle(query) + shift, from));
        context.lineTo(...at(middle(key) + shift, to));
        context.stroke();
      }
    }
  });
  context.setLineDash([]);

  /** Text at a place, turned by `angle`. */
  const write = (text, [x, y], align, turn) => {
    context.textAlign = align; // explicit: a right-to-left piece must not change sides
    if (!turn) return context.fillText(text, x, y);
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    context.fillText(text, 0, 0);
    return context.restore();
  };
  const related = (side, index) => {
    if (!focus) return 1;
    if (side === focus.side) return index === focus.index ? 1 : 0.4;
    const [query, key] = side ? [focus.index, index] : [index, focus.index];
    return isMasked(panel, query, key) ? 0.25 : 1;
  };
  context.fillStyle = theme.text;
  context.textBaseline = "middle";
  words.forEach((side, which) => {
    const beyond = WORD_GAP + (across && !angle ? font / 2 : 0);
    const align = !across ? (which ? "left" : "right") : angle ? "left" : "center";
    side.forEach((word, index) => {
      const focused = focus?.side === which && focus.index === index;
      context.font = `${focused ? "bold " : ""}${font}px ${theme.font}`;
      context.globalAlpha = related(which, index);
      write(word, at(middle(index), which ? span + beyond : -beyond), align, which ? angle : -angle);
    });
  });
  context.globalAlpha = 1;
  if (!focus) return;
  context.font = `${NUMBER}px ${theme.font}`;
  heads.forEach(({ levels, colour }, order) => {
    const depth = (focus.side ? 0 : span - heads.length * number) + (order + 0.5) * number;
    context.fillStyle = colour;
    words[1 - focus.side].forEach((_, index) => {
      const weight = opacity[levels[focus.side ? index * columns + focus.index : focus.index * columns + index]];
      if (weight < SMALLEST) return;
      write(weight.toFixed(2), at(middle(index), depth), "center", turned ? -Math.PI / 2 : 0);
    });
  });
}

/**
 * The word under the pointer, as a focus, or null. Leaning words are followed to where they lean.
 * @param {Plate} plate
 * @param {ReturnType<typeof linesLayout>} layout
 * @param {Spot} event
 */
export function wordUnder(plate, { across, pitch, angle, words, x, y, span }, event) {
  const box = plate.canvas.getBoundingClientRect();
  const [right, down] = [event.clientX - box.left - x, event.clientY - box.top - y];
  const depth = across ? down : right;
  const side = depth < WORD_GAP ? 0 : depth > span - WORD_GAP ? 1 : null;
  if (side === null) return null;
  const outside = angle === Math.PI / 4 ? Math.max(0, -depth, depth - span) : 0;
  const index = Math.floor(((across ? right : down) - outside) / pitch);
  return index >= 0 && index < words[side].length ? { side, index } : null;
}
