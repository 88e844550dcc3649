// @ts-check
// The alignment pair in the browser: takes the message of __init__.py, and answers pointer and keys.
// Words: a *map* is one matrix on its plate; the *cursor* is the cell that is pointed at; a *strip* is a vector as a
// line of thin cells.

import { make } from "../shared/dom.js";
import { mount } from "../shared/lifecycle.js";
import { createPlate, hit } from "../shared/matrix.js";
import { openMessage } from "../shared/message.js";
import { createStepper } from "../shared/stepper.js";
import { drawAll, drawStep, drawWords } from "./draw.js";
import { rowUnder } from "./maps.js";
import { chooseRow, onKey, setCursor } from "./reading.js";
import { buildTable, readStrip } from "./step.js";
import { unpack } from "./unpack.js";

/** @import { Component } from "../shared/lifecycle.js" */
/** @import { Ui } from "./types.js" */

const PACE = 700; // ms a step

// Streamlit may mount the component anew when it moves on the page; the chosen step must survive that.
const remembered = (globalThis.regardAlignmentPair ??= new Map());

/** @param {Component} component */
export default function alignmentPair(component) {
  const failed = (ui) => ui.texts?.failed;
  return mount(component, { root: ".alignment-pair", create, receive, draw: drawAll, onRoomKey, failed });
}

/** @param {Ui} ui */
function create(ui) {
  const { find } = ui;
  ui.plates = [0, 1, 2].map((at) => createMap(ui, at));
  ui.stepper = createStepper({
    ui,
    count: () => ui.play?.predicted.length ?? 0,
    pace: () => PACE,
    show(step) {
      ui.step = step;
      remembered.set(ui.id, step);
      drawStep(ui);
    },
  });
  find("table").onpointermove = find("table").onpointerdown = (event) => readStrip(ui, event);
  find("table").onpointerleave = ({ pointerType }) => {
    if (pointerType !== "touch") find(".number").textContent = ui.texts.number_hint;
  };
}

/** @param {Ui} ui @param {number} at */
function createMap(ui, at) {
  const element = make("div", { className: "plate", tabIndex: 0, role: "application" });
  const title = make("h3");
  const note = make("p", { className: "note" });
  const article = make("article", { className: "map" }, title, note, make("div", { className: "scroll" }, element));
  ui.find(".maps").append(article);
  const plate = { ...createPlate(element), article, title, note };
  element.onpointermove = element.onpointerdown = (event) => {
    const cell = hit(plate, event)?.cell;
    setCursor(ui, cell ? { at, query: cell[0][0], key: cell[1][0] } : null);
  };
  // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
  element.onpointerleave = (event) => event.pointerType !== "touch" && setCursor(ui, null);
  element.onblur = () => setCursor(ui, null);
  element.onclick = (event) => (ui.find(".live").textContent = chooseRow(ui, at, rowUnder(plate, event)));
  element.onkeydown = (event) => onKey(ui, at, event);
  return plate;
}

/** @param {Ui} ui @param {Uint8Array} data */
async function receive(ui, data) {
  const message = await openMessage(ui, data);
  if (!message) return;
  if (message.header.stamp !== ui.stamp) ui.stepper.pause();
  Object.assign(ui, message.header);
  Object.assign(ui, unpack(message.header, message.bytes.buffer));
  ui.followed = ui.maps.map((_, at) => Boolean(ui.play) && (ui.common || at === 0)); // whose rows are steps of `play`
  drawWords(ui);
  if (ui.play) {
    ui.step = Math.min(ui.step ?? remembered.get(ui.id) ?? 0, ui.play.predicted.length - 1);
    remembered.set(ui.id, ui.step);
    buildTable(ui);
  }
  drawAll(ui);
}

/** @param {Ui} ui @param {KeyboardEvent} event */
function onRoomKey(ui, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !ui.play) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  ui.stepper.choose(ui.step + by);
}
