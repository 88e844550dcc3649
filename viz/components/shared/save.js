// @ts-check
// Saving a picture: as SVG, as PNG of that, or its numbers as CSV. Nothing is asked of the server.

import { make } from "./dom.js";

/** @import { Files } from "./types.js" */

const MOST_PIXELS = 16_000; // of a side: beyond it some browsers make no picture
const SCALE = 3; // of a PNG

/**
 * Fills a box with a button for each format. `files` are functions: the file's name without ending, svg and csv.
 * @param {any} box
 * @param {string} word
 * @param {Files} files
 */
export function offerSaving(box, word, files) {
  box.ariaLabel = word;
  const button = (format) =>
    make("button", { type: "button", textContent: format.toUpperCase(), onclick: () => save(format, files) });
  if (!box.firstChild) box.append(make("span"), ...["svg", "png", "csv"].map(button));
  box.firstChild.textContent = word;
}

/** @param {string} format @param {Files} files */
export async function save(format, { name, svg, csv }) {
  const blob = {
    svg: () => new Blob([svg()], { type: "image/svg+xml" }),
    png: () => rasterised(svg()),
    csv: () => new Blob(["\ufeff", csv()], { type: "text/csv" }), // the mark tells spreadsheets of UTF-8
  }[format];
  const url = URL.createObjectURL(await blob());
  make("a", { href: url, download: `${name()}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {string} svg */
async function rasterised(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = Object.assign(new Image(), { src: url });
  await image.decode();
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.round(side * scale));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/**
 * Comments, a line of names, and rows of numbers and texts.
 * @param {string[]} comments
 * @param {string} names
 * @param {(string | number)[][]} rows
 */
export function csvText(comments, names, rows) {
  const cell = (value) => (typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : value);
  return [...comments.map((line) => `# ${line}`), names, ...rows.map((row) => row.map(cell).join()), ""].join("\n");
}
