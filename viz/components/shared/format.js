// @ts-check
// Numbers and pieces as they are written.

/**
 * A sentence with its gaps filled; a gap without a value stays.
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/**
 * A piece with its invisible parts made visible; nothing else is changed.
 * @param {string} piece
 */
export function shown(piece) {
  if (!piece) return "∅";
  if (!piece.trim()) return "␣".repeat(Math.min(piece.length, 3));
  return piece.replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));
}

/**
 * Cuts by code point, so that no emoji is halved, until the text and its ellipsis fit.
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {string} text
 * @param {number} limit - CSS pixels
 */
export function cut(context, text, limit) {
  if (context.measureText(text).width <= limit) return text;
  const points = Array.from(text.slice(0, 200));
  while (points.length && context.measureText(`${points.join("")}…`).width > limit) points.pop();
  return `${points.join("")}…`;
}

/** @param {number} p - a probability */
export const percent = (p) => (p >= 0.9995 ? "100%" : p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`);

/**
 * A number with a true minus sign; 0 has no sign.
 * @param {number} value
 * @param {number} digits
 * @param {string} [plus] - before what is above 0
 */
export function signed(value, digits, plus = "") {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? "−" : plus) + text;
}

/**
 * A weight that came as a level of its square root: two or three digits.
 * @param {number} level
 * @param {number} levels - the level of weight 1
 */
export function weightDigits(level, levels) {
  const weight = (level / levels) ** 2;
  return !level ? "0" : weight >= 0.1 ? weight.toFixed(2) : weight.toPrecision(weight >= 0.001 ? 2 : 1);
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export const within = (value, least, most) => Math.max(least, Math.min(value, most));
