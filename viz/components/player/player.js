// @ts-check
// The player in the browser: takes the message of __init__.py, plays a translation step by step, and answers pointer
// and keys.
// Words: a *step* predicts one piece; a *view* is one kind of attention; a *branch* is a node of the tree.

import { mount } from "../shared/lifecycle.js";
import { createPlate, hit } from "../shared/matrix.js";
import { openMessage } from "../shared/message.js";
import { createStepper } from "../shared/stepper.js";
import { drawAll, drawStep, drawWords, point } from "./draw.js";
import { remember, remembered, tellLook } from "./memory.js";
import { onBranch, pointBranch } from "./tree.js";
import { AVERAGE, unpackViews } from "./views.js";

/** @import { Component } from "../shared/lifecycle.js" */
/** @import { Ui } from "./types.js" */

const PACE = 900; // ms a step at speed 1

/** @param {Component} component */
export default function player(component) {
  const failed = (ui) => ui.texts?.failed;
  const leave = (ui) => clearTimeout(ui.tellTimer);
  return mount(component, { root: ".player", create, receive, draw: drawAll, onRoomKey: onKey, failed, leave });
}

/** @param {Ui} ui */
function create(ui) {
  const { root, find } = ui;
  ui.plates = [".back", ".across"].map((name, at) => {
    const plate = createPlate(find(`${name} .plate`));
    plate.element.onpointermove = plate.element.onpointerdown = (event) => point(ui, at, hit(plate, event)?.cell);
    // A finger leaves as soon as it is lifted: what it pointed at stays until the next tap.
    plate.element.onpointerleave = (event) => event.pointerType !== "touch" && point(ui, at, null);
    return plate;
  });
  ui.stepper = createStepper({
    ui,
    count: () => ui.predicted?.length ?? 0,
    pace: () => PACE / (remembered.get(ui.id).speed ?? 1),
    show(step, chosen) {
      ui.step = step;
      remember(ui, { step });
      drawStep(ui);
      tellLook(ui);
      if (chosen) find(".live").textContent = `${ui.stepper.text()}. ${ui.said}`;
    },
  });
  find("select").onchange = ({ target }) => {
    remember(ui, { speed: Number(target.value) });
    tellLook(ui);
  };
  root.onkeydown = (event) => onKey(ui, event);
  const box = find(".box");
  box.onpointermove = ({ target }) => pointBranch(ui, target.closest(".branch"));
  box.onpointerleave = ({ pointerType }) => pointerType !== "touch" && pointBranch(ui, null);
  box.onclick = ({ target }) => onBranch(ui, target.closest(".branch"));
}

/** @param {Ui} ui @param {Uint8Array} data */
async function receive(ui, data) {
  const message = await openMessage(ui, data);
  if (!message) return;
  if (message.header.stamp !== ui.stamp) ui.stepper.pause();
  Object.assign(ui, message.header);
  ui.views = unpackViews(message.header, message.bytes);
  const content = JSON.stringify([ui.source, ui.predicted, ui.forced]);
  const known = remembered.get(ui.id) ?? { content, ...ui.look };
  const first = ui.start ?? ui.predicted.length - 1;
  ui.step = (known.content === content ? known.step : null) ?? first;
  ui.layer = Math.min(known.layer ?? Infinity, ui.layers - 1); // the last, until somebody chooses
  ui.head = Math.min(known.head ?? AVERAGE, ui.heads - 1);
  remember(ui, { ...known, content, step: ui.step });
  drawWords(ui);
  drawAll(ui);
  if (known.told) tellLook(ui); // what Python has heard may be about another translation
}

/** @param {Ui} ui @param {KeyboardEvent} event */
function onKey(ui, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !ui.views) return;
  const { tagName } = /** @type {Element} */ (event.target);
  const native = tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ");
  const own = {
    ArrowLeft: () => ui.stepper.choose(ui.step - 1),
    ArrowRight: () => ui.stepper.choose(ui.step + 1),
    " ": ui.stepper.toggle,
  }[event.key];
  if (native || !own) return;
  event.preventDefault(); // the page must not scroll under the person's eyes
  own();
}
