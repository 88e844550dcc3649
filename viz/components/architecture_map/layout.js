// @ts-check
// Where boxes stand. Lengths are units of the drawing, y grows downwards. The encoder is on the left, and what goes
// around a sublayer goes on the outer side: `out` is -1 for the encoder, 1 for the decoder.

/** @import { Box } from "./types.js" */

export const WIDTH = 700;
export const BOX = { width: 220, high: 40, low: 26, beside: 136 };
export const FROM_EDGE = { middle: 196, frame: 62, residual: 73, layers: 31, beside: 6 };
export const SPACE = { arrow: 15, fork: 17, residual: 12, frame: 17, name: 12, sum: 30 };
export const FORK = 62; // from the middle to an outer arrow
export const SUM = 9; // radius of a plus sign's circle
export const EDGE = 8; // above the drawing and below

/**
 * Puts the boxes of a stack one over the other, from y = 0 upwards, and notes what lies below each of them.
 * @param {Box[]} boxes
 * @returns {number}
 */
export function layOut(boxes) {
  let top = 0; // of what stands already
  let before = null;
  for (const box of boxes) {
    box.height = box.detail ? BOX.high : BOX.low;
    if (box.beside) {
      box.y = top - SPACE.sum; // the middle of the plus sign on the line, and of the box
      top = box.y - SUM;
      continue;
    }
    const skipped = boxes.some(({ skips }) => skips === box.name);
    const enters = box.inside && !before?.inside;
    const leaves = !box.inside && before?.inside;
    const gap = SPACE.arrow + (box.below.length > 1 ? SPACE.fork : 0) + (skipped ? SPACE.residual : 0);
    const around = enters ? SPACE.frame : leaves ? SPACE.frame + SPACE.name : 0;
    box.bottom = before ? top - gap - around : 0;
    box.top = box.bottom - box.height;
    box.y = (box.top + box.bottom) / 2;
    box.fork = box.bottom + SPACE.arrow - 1; // where arrows to a box with several part
    box.branch = box.bottom + gap - 10; // where a residual connection leaves the line
    box.from = top;
    top = box.top;
    before = box;
  }
  return top;
}

/**
 * Where the box beside a plus sign ends, on the side of the line.
 * @param {{ out: number }} box
 */
export const besideEdge = ({ out }) => {
  const inner = FROM_EDGE.beside + BOX.beside;
  return out < 0 ? inner : WIDTH - inner;
};
