// @ts-check
// The architecture map in the browser: draws boxes and arrows, and answers pointer and keys.

import { readTheme } from "../shared/colours.js";
import { makeSvg } from "../shared/dom.js";
import { markDrawn, mount } from "../shared/lifecycle.js";
import { drawAcross, drawStack } from "./arrows.js";
import { besideEdge, BOX, EDGE, FROM_EDGE, layOut, SPACE, WIDTH } from "./layout.js";

/** @import { Component } from "../shared/lifecycle.js" */
/** @import { Box, Ui } from "./types.js" */

/** @param {Component} component */
export default function architectureMap(component) {
  return mount(component, { root: ".architecture", create, receive, draw: drawAll });
}

/** @param {Ui} ui */
function create(ui) {
  const { find } = ui;
  Object.assign(ui, { svg: find("svg"), block: null, boxes: [] });
  find(".chosen button").onclick = () => find(".end").scrollIntoView({ behavior: "smooth" });
}

/** @param {Ui} ui @param {any} data */
function receive(ui, { texts, stacks, colours, boxes, chosen }) {
  Object.assign(ui, { texts, stacks, colours, boxes: boxes.map((box) => ({ ...box })) });
  if (!ui.boxes.some(({ name }) => name === ui.block)) ui.block = chosen;
  drawAll(ui);
}

/** @param {Ui} ui */
function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.boxes.length) return; // hidden: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.colours, 1);
  const focused = /** @type {any} */ (ui.svg.getRootNode()).activeElement?.dataset?.name;
  const stacks = ["encoder", "decoder"].map((stack) => ui.boxes.filter((box) => box.stack === stack));
  const height = 2 * EDGE - Math.min(...stacks.map(layOut));
  for (const box of ui.boxes) {
    const decoder = box.stack === "decoder";
    box.out = decoder ? 1 : -1;
    box.x = decoder ? WIDTH - FROM_EDGE.middle : FROM_EDGE.middle;
  }
  ui.svg.setAttribute("viewBox", `0 ${EDGE - height} ${WIDTH} ${height}`);
  ui.svg.setAttribute("aria-label", ui.texts.label);
  ui.svg.replaceChildren(
    ...stacks.map((boxes) => drawFrame(ui, boxes)),
    ...stacks.flatMap(drawStack),
    ...drawAcross(stacks[0], stacks[1]),
    ...ui.boxes.map((box) => drawBox(ui, box)),
  );
  ui.boxes.forEach(fitBox);
  showChosen(ui);
  /** @type {SVGElement | null} */
  const before = focused && ui.svg.querySelector(`[data-name="${focused}"]`);
  before?.focus({ preventScroll: true });
  markDrawn(ui);
}

/**
 * Around the layer of a stack, with its name and how often it is there.
 * @param {Ui} ui
 * @param {Box[]} boxes
 */
function drawFrame(ui, boxes) {
  const inside = boxes.filter((box) => box.inside);
  const { stack, out } = boxes[0];
  const [name, times] = ui.stacks[stack];
  const [top, bottom] = [inside.at(-1).top - SPACE.frame, inside[0].branch + 8];
  const left = out < 0 ? FROM_EDGE.frame : WIDTH / 2 + 28;
  const width = WIDTH / 2 - 28 - FROM_EDGE.frame;
  const words = (name, text, x, y) => {
    const made = makeSvg("text", { class: name, x, y });
    made.textContent = text;
    return made;
  };
  return makeSvg(
    "g",
    {},
    makeSvg("rect", { class: "layer", x: left, y: top, width, height: bottom - top, rx: 10 }),
    words(`stack ${stack}`, name, left + (out < 0 ? 0 : width), top - 8),
    words("layers", times, out < 0 ? FROM_EDGE.layers : WIDTH - FROM_EDGE.layers, (top + bottom) / 2),
  );
}

/** @param {Ui} ui @param {Box} box */
function drawBox(ui, box) {
  const wide = box.beside ? BOX.beside : BOX.width;
  const edge = besideEdge(box);
  const left = box.beside ? (box.out < 0 ? edge - wide : edge) : box.x - wide / 2;
  const top = box.y - box.height / 2;
  const shape = { x: left, y: top, width: wide, height: box.height, rx: 6 };
  const around = { x: left - 4, y: top - 4, width: wide + 8, height: box.height + 8, rx: 9 };
  const middle = left + wide / 2;
  const label = makeSvg("text", { x: middle, y: box.y + (box.detail ? -3 : 4.5) });
  const detail = makeSvg("text", { class: "detail", x: middle, y: box.y + 13.5 });
  label.textContent = box.label;
  detail.textContent = box.detail;
  box.words = { label, detail, room: wide - 16 };
  const element = makeSvg(
    "g",
    { class: "block", role: "button", tabindex: 0, "aria-label": `${box.title} ${box.detail}`, "data-name": box.name },
    makeSvg("rect", { ...shape, class: "face" }),
    makeSvg("rect", { ...around, class: "ring" }),
    label,
    ...(box.detail ? [detail] : []),
  );
  if (box.colour !== null) element.style.setProperty("--colour", ui.colours[ui.theme.scheme][box.colour]);
  element.onclick = () => pick(ui, box.name);
  element.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // the space bar must not scroll the page
    pick(ui, box.name);
  };
  return element;
}

/**
 * Words that are wider than their box: the label is pressed together, the detail is cut.
 * @param {Box} box
 */
function fitBox({ words: { label, detail, room } }) {
  if (label.getComputedTextLength() > room) {
    label.setAttribute("textLength", String(room));
    label.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  const points = Array.from(detail.textContent);
  while (points.length && detail.getComputedTextLength() > room) {
    points.pop();
    detail.textContent = `${points.join("").trimEnd()}…`;
  }
}

/** @param {Ui} ui @param {string} name */
function pick(ui, name) {
  ui.block = name;
  showChosen(ui);
  ui.setStateValue("block", name);
}

/**
 * Marks the chosen box, and says in the drawing's empty corner what it does.
 * @param {Ui} ui
 */
function showChosen(ui) {
  for (const each of /** @type {NodeListOf<SVGElement>} */ (ui.svg.querySelectorAll(".block"))) {
    each.setAttribute("aria-pressed", String(each.dataset.name === ui.block));
  }
  const { title, says } = ui.boxes.find(({ name }) => name === ui.block);
  ui.find(".chosen strong").textContent = title;
  ui.find(".chosen p").textContent = says;
  ui.find(".chosen button").textContent = ui.texts.below;
}
