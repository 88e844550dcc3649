// @ts-check
// Arrows between boxes, and the letters at them.

import { makeSvg } from "../shared/dom.js";
import { besideEdge, BOX, FORK, FROM_EDGE, SPACE, SUM, WIDTH } from "./layout.js";

/** @import { Box, Point } from "./types.js" */

/**
 * A line through points, with a head at its end.
 * @param {...Point} points
 */
export function arrow(...points) {
  const [[x0, y0], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - x0), Math.sign(y - y0)];
  /** @type {Point} */
  const back = [x - 7 * dx, y - 7 * dy];
  const head = [
    [x, y],
    [back[0] - 3.5 * dy, back[1] + 3.5 * dx],
    [back[0] + 3.5 * dy, back[1] - 3.5 * dx],
  ];
  return [line(...points.slice(0, -1), back), makeSvg("path", { class: "head", d: `M${head.join("L")}Z` })];
}

/** @param {...Point} points */
const line = (...points) => makeSvg("path", { d: `M${points.join("L")}` });

/** @param {string} text @param {number} x @param {number} y */
function letter(text, x, y) {
  const made = makeSvg("text", { class: "letter", x, y });
  made.textContent = text;
  return made;
}

/** @param {Box[]} boxes */
export function drawStack(boxes) {
  return boxes.flatMap((box) => [
    ...(box.beside ? drawSum(box) : box.from === 0 ? [] : drawBelow(box)),
    ...(box.skips ? drawResidual(boxes, box) : []),
  ]);
}

/**
 * From the box below into this one, in as many arrows as it has letters.
 * @param {Box} box
 */
function drawBelow({ x, from, bottom, fork, below }) {
  if (below.length < 2) {
    const letters = below.map((text) => letter(text, x + 10, bottom + 12));
    return [...arrow([x, from], [x, bottom]), ...letters];
  }
  const places = below.map((_, at) => x + FORK * ((2 * at) / (below.length - 1) - 1));
  return [
    line([x, from], [x, fork]),
    line([places[0], fork], [places.at(-1), fork]),
    ...places.flatMap((place) => arrow([place, fork], [place, bottom])),
    ...below.map((text, at) => letter(text, places[at] + 10, bottom + 12)),
  ];
}

/**
 * Around a sublayer.
 * @param {Box[]} boxes
 * @param {Box} box
 */
function drawResidual(boxes, box) {
  const { branch } = boxes.find(({ name }) => name === box.skips);
  const side = box.out < 0 ? FROM_EDGE.residual : WIDTH - FROM_EDGE.residual;
  const into = box.x + (box.out * BOX.width) / 2;
  return arrow([box.x, branch], [side, branch], [side, box.y], [into, box.y]);
}

/**
 * A plus sign on the line, and an arrow from the box beside it.
 * @param {Box} box
 */
function drawSum(box) {
  const { x, y, out } = box;
  const edge = besideEdge(box);
  return [
    ...arrow([x, y + SPACE.sum], [x, y + SUM]),
    makeSvg("circle", { class: "layer sum", cx: x, cy: y, r: SUM }),
    line([x - 5, y], [x + 5, y]),
    line([x, y - 5], [x, y + 5]),
    ...arrow([edge, y], [x + out * SUM, y]),
  ];
}

/**
 * From the top of the encoder to the boxes of the decoder that look across.
 * @param {Box[]} encoder
 * @param {Box[]} decoder
 */
export function drawAcross(encoder, decoder) {
  const last = encoder.at(-1);
  const high = last.top - SPACE.frame - 12;
  return decoder
    .filter(({ across }) => across.length)
    .flatMap((box) => {
      const into = box.x - BOX.width / 2;
      const down = Math.sign(box.y - high);
      return box.across.flatMap((text, at) => {
        const share = at - (box.across.length - 1) / 2;
        const x = WIDTH / 2 - 16 * share * down; // lines that run beside each other do not cross
        const y = box.y + 18 * share;
        /** @type {Point[]} */
        const start = at ? [] : [[last.x, last.top]];
        return [
          ...arrow(...start, [last.x, high], [x, high], [x, y], [into, y]),
          letter(text, into - 25, share < 0 ? y - 5 : y + 13),
        ];
      });
    });
}
