// @ts-check
// Curves in the browser: draws the message of __init__.py as SVG, and reads values off where the pointer or an arrow
// key points.

import { readTheme } from "../shared/colours.js";
import { make, makeSvg } from "../shared/dom.js";
import { within } from "../shared/format.js";
import { markDrawn, mount } from "../shared/lifecycle.js";
import { typed } from "../shared/sizes.js";

/** @import { Component } from "../shared/lifecycle.js" */

const DASHES = ["", "7 4", "2 3"];
const HEIGHT = 8.5; // of a plot's axes, in rem

/** @param {Component} component */
export default function curves(component) {
  return mount(component, { root: ".curves", create, receive, draw: drawAll });
}

/** @param {any} ui */
function create(ui) {
  const { root } = ui;
  ui.at = null;
  root.onpointermove = root.onpointerdown = (event) => pointAt(ui, nearest(ui, event.clientX));
  root.onpointerleave = ({ pointerType }) => pointerType !== "touch" && pointAt(ui, null);
  root.onblur = () => pointAt(ui, null);
  root.onkeydown = (event) => {
    const last = ui.x.length - 1;
    const at = ui.at ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pointAt(ui, within(to, 0, last));
    const read = ui.plots.map(
      ({ title, values }) => `${title}: ${[...values.children].map((each) => each.textContent)}`,
    );
    ui.find(".live").textContent = `${ui.find(".where").textContent}. ${read.join(". ")}`;
  };
}

/** @param {any} ui @param {object} data */
function receive(ui, data) {
  Object.assign(ui, data);
  drawAll(ui);
}

// ---- drawing -------------------------------------------------------------------------------------------------------

/** @param {string} d @param {string} colour @param {number} width @param {string} [dash] */
const stroke = (d, colour, width, dash = "") =>
  makeSvg("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": dash });

/** @param {any} ui */
function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.plots) return; // hidden, or nothing has come yet: the observer calls again
  ui.width = width;
  ui.root.ariaLabel = ui.about;
  ui.lineColours = ui.colours[readTheme(ui.root, ui.colours, 1).scheme];
  const samples = ui.names.map((name, at) => {
    const sample = makeSvg("svg", { "aria-hidden": "true" }, stroke("M0 4H28", ui.lineColours[at], 2.5, DASHES[at]));
    return make("span", {}, sample, name);
  });
  ui.find(".names").replaceChildren(...samples);
  const left = typed(34); // room for the numbers of the y axes
  ui.across = (x) => left + (x / ui.end) * (width - left - typed(12));
  ui.find(".plots").replaceChildren(...ui.plots.map((plot) => drawPlot(ui, plot, left)));
  pointAt(ui, ui.at);
  markDrawn(ui);
}

/** @param {any} ui @param {any} plot @param {number} left */
function drawPlot(ui, plot, left) {
  const [top, height] = [typed(8), typed(16 * HEIGHT)];
  const [bottom, right] = [top + height, ui.across(ui.end)];
  const down = (y) => bottom - (y / plot.end) * height;
  const svg = makeSvg("svg", { height: bottom + typed(20), "aria-hidden": "true" });
  for (const y of plot.ticks) {
    svg.append(stroke(`M${left} ${down(y)}H${right}`, "var(--st-border-color)", 1));
    const place = { x: left - 6, y: down(y), "text-anchor": "end", "dominant-baseline": "central" };
    svg.append(makeSvg("text", place, String(y)));
  }
  for (const x of ui.ticks) {
    svg.append(makeSvg("text", { x: ui.across(x), y: bottom + typed(15), "text-anchor": "middle" }, String(x)));
  }
  if (plot.reference) {
    const [name, y] = plot.reference;
    svg.append(stroke(`M${left} ${down(y)}H${right}`, "currentColor", 1, "1 3"));
    svg.append(makeSvg("text", { x: right, y: down(y) - 4, "text-anchor": "end" }, name));
  }
  plot.lines.forEach((line, at) => {
    const points = line.map((y, step) => `${ui.across(ui.x[step]).toFixed(1)} ${down(y).toFixed(1)}`);
    if (points.length) svg.append(stroke(`M${points.join("L")}`, ui.lineColours[at], 2.5, DASHES[at]));
  });
  plot.guide = svg.appendChild(stroke(`M0 ${top}V${bottom}`, "currentColor", 1));
  plot.values = make("div", { className: "values" });
  return make("div", { className: "plot" }, make("b", { textContent: plot.title }), plot.values, svg);
}

// ---- pointing ------------------------------------------------------------------------------------------------------

/**
 * The place in x that is nearest to where the pointer is.
 * @param {any} ui
 * @param {number} clientX
 */
function nearest(ui, clientX) {
  if (!ui.x?.length) return null;
  const at = clientX - ui.root.getBoundingClientRect().left;
  const away = ui.x.map((x) => Math.abs(ui.across(x) - at));
  return away.indexOf(Math.min(...away));
}

/**
 * A line through all plots, and the numbers there: where somebody points, or else at the mark, or at the end.
 * @param {any} ui
 * @param {number | null} at
 */
function pointAt(ui, at) {
  ui.at = at !== null && at < ui.x.length ? at : null;
  const marked = ui.x.indexOf(ui.mark);
  const there = ui.at ?? (marked < 0 ? ui.x.length - 1 : marked);
  const x = ui.x[there];
  for (const { guide, values, lines } of ui.plots) {
    guide.style.display = ui.at === null && marked < 0 ? "none" : "";
    if (x !== undefined) guide.setAttribute("transform", `translate(${ui.across(x)})`);
    const numbers = ui.names.map((name, line) => {
      const number = make("b", { textContent: lines[line][there]?.toFixed(3) ?? "–" });
      number.style.color = ui.lineColours[line];
      return make("span", {}, `${name} `, number);
    });
    values.replaceChildren(...numbers);
  }
  ui.find(".where").textContent = x === undefined ? ui.title : `${ui.title} ${x}`;
}
