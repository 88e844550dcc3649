// @ts-check
// What a colour means: a strip of colours and marks along it.

/** @import { Ticks } from "./types.js" */

export const TICKS = [0, 0.04, 0.25, 0.5, 1]; // of weights, on the square-root scale
/** @returns {Ticks} */
export const weightTicks = () => TICKS.map((weight) => [String(weight), Math.sqrt(weight)]);

/**
 * Marks along a scale: [text, share of its length].
 * @param {Element} element
 * @param {Ticks} ticks
 */
export function drawTicks(element, ticks) {
  const spans = ticks.map(([text, share]) => {
    const tick = document.createElement("span");
    tick.textContent = text;
    tick.style.left = `${100 * share}%`;
    tick.className = share === 0 ? "first" : share === 1 ? "last" : "";
    return tick;
  });
  element.replaceChildren(...spans);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} colour
 */
export function paintStrip(canvas, width, height, colour) {
  Object.assign(canvas, { width, height });
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = colour(x, y);
  canvas.getContext("2d").putImageData(image, 0, 0);
}
