// @ts-check
// The numbers of a message as matrices, and the level of a ramp that stands for a number.

/** @import { Axis, Matrix } from "./types.js" */

export const LEVELS = 254; // steps of a ramp; even, so that 0 has the middle colour of two signs
export const HIDDEN = 255; // minus infinity

/**
 * Every matrix with its axes, its values and their levels.
 * @param {{ matrices: any[], axes: Axis[] }} header
 * @param {ArrayBufferLike} buffer
 * @returns {Matrix[]}
 */
export function unpackMatrices({ matrices, axes }, buffer) {
  let offset = 0;
  return matrices.map((each) => {
    const matrix = { ...each, rows: axes[each.rows], columns: axes[each.columns] };
    matrix.values = new Float32Array(buffer, offset, matrix.rows.count * matrix.columns.count);
    offset += matrix.values.byteLength;
    matrix.levels = Uint8Array.from(matrix.values, (value) => levelOf(matrix, value));
    return matrix;
  });
}

/**
 * Colour follows the square root of a number's size, so that small numbers can be seen.
 * @param {{ signed: boolean, limit: number }} matrix
 * @param {number} value
 */
function levelOf({ signed, limit }, value) {
  if (value === -Infinity) return HIDDEN;
  const root = Math.sign(value) * Math.sqrt(Math.min(Math.abs(value) / limit, 1));
  return Math.round(signed ? (LEVELS / 2) * (1 + root) : LEVELS * Math.max(root, 0));
}

/** @param {number} limit */
export const sizeOf = (limit) => (limit < 99.5 ? 2 : limit < 999.5 ? 1 : 0);

/** @param {{ signed: boolean, limit: number }} matrix */
export function scaleEnds({ limit, signed }) {
  const end = String(Number(limit.toPrecision(3)));
  return [signed ? `−${end}` : "0", end];
}

/**
 * All the digits that a float32 is sure of.
 * @param {number} value
 */
export const exact = (value) => String(Number(value.toPrecision(7))).replace("-", "−");

/**
 * How many cells lie between two numbers that are `apart` pixels from each other or more: a power of 2.
 * @param {number} apart
 * @param {number} pitch
 */
export const stepOf = (apart, pitch) => 2 ** Math.max(0, Math.ceil(Math.log2(apart / pitch)));
