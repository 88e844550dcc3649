// @ts-check
// Colours: the theme of the page, and the ramps that stand for numbers.

/** @import { Palette, Rgb, Theme } from "./types.js" */

/**
 * What Streamlit's theme says, and the ramp of `levels` + 1 colours through the stops of its scheme.
 * @param {Element} root
 * @param {Palette} palette
 * @param {number} levels
 * @returns {Theme}
 */
export function readTheme(root, palette, levels) {
  const style = getComputedStyle(root);
  const variable = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const background = rgb(variable("--st-background-color", "#ffffff"));
  const text = variable("--st-text-color", "#31333f");
  const dark = 0.299 * background[0] + 0.587 * background[1] + 0.114 * background[2] < 128;
  const scheme = dark ? "dark" : "light";
  const towardsText = (share) => packed(mix(background, rgb(text), share));
  return {
    scheme,
    ramp: rampOf(palette[scheme], levels),
    text,
    background: variable("--st-background-color", "#ffffff"),
    font: variable("--st-font", "sans-serif"),
    border: variable("--st-border-color", "#d0d0d0"),
    primary: variable("--st-primary-color", "#1f5fa8"),
    hatchGround: towardsText(0.06),
    hatchLine: towardsText(0.3),
  };
}

/** @param {string[]} colours @param {number} levels */
export function rampOf(colours, levels) {
  const stops = colours.map(rgb);
  return Uint32Array.from({ length: levels + 1 }, (_, level) => packed(between(stops, level / levels)));
}

/**
 * Any CSS colour as [red, green, blue], read off a painted pixel.
 * @param {string} colour
 * @returns {Rgb}
 */
export function rgb(colour) {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** @param {number[]} from @param {number[]} to @param {number} share */
export const mix = (from, to, share) => from.map((value, channel) => Math.round(value + (to[channel] - value) * share));
/** A colour as 32 bits, little-endian RGBA. @param {number[]} colour @returns {number} */
export const packed = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** @param {number[][]} stops @param {number} share @returns {number[]} */
function between(stops, share) {
  const at = Math.min(share * (stops.length - 1), stops.length - 1.000001);
  return mix(stops[Math.floor(at)], stops[Math.floor(at) + 1], at % 1);
}

/** @param {number} colour */
export const hex = (colour) =>
  `#${[0, 8, 16].map((bits) => ((colour >> bits) & 255).toString(16).padStart(2, "0")).join("")}`;
