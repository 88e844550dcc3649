// @ts-check
// The attention grid in the browser: takes the message of __init__.py and answers clicks and keys.
// Words: a *panel* is one kind of attention; a *tile* is one small head; a *plate* is a canvas with marks laid over it;
// the *picks* are the heads of one panel that are drawn large, the *choice* the one of them that Python hears of, and
// the *cursor* the head where the keyboard stands.

import { make } from "../shared/dom.js";
import { mount } from "../shared/lifecycle.js";
import { createPlate } from "../shared/matrix.js";
import { openMessage } from "../shared/message.js";
import { choose, onClick, onKey, pickLayer, show, toggle } from "./choosing.js";
import { drawAll } from "./draw.js";
import { unpackPanels } from "./panels.js";
import { adoptChoice } from "./picks.js";
import { onLargeKey, unhover, watchPointer } from "./reading.js";

/** @import { Component } from "../shared/lifecycle.js" */
/** @import { Ui } from "./types.js" */

/** @param {Component} component */
export default function attentionGrid(component) {
  const failed = (ui) => ui.texts?.failed;
  return mount(component, { root: ".attention-grid", create, receive, draw: drawAll, onRoomKey: onKey, failed });
}

/** @param {Ui} ui */
function create(ui) {
  const { find } = ui;
  Object.assign(ui, { panels: [], choice: null, reported: null, timer: 0 });
  ui.large = createPlate(find(".plate.large"));
  // Over the picture with all lines lies the one with those of a single word, and the first need not be drawn again.
  ui.single = { canvas: find(".single"), context: find(".single").getContext("2d") };
  watchPointer(ui, ui.large);
  ui.large.element.onkeydown = (event) => onLargeKey(ui, event);
  ui.large.element.onblur = () => unhover(ui, ui.large);
  find(".blocks").onkeydown = (event) => onKey(ui, event);
  find(".views").onchange = ({ target }) => show(ui, target.value);
  find(".heads").onclick = ({ target }) => takeOff(ui, target.closest("button"));
  find(".layer").onclick = () => pickLayer(ui);
  find(".only").onclick = () => choose(ui, ui.choice);
}

/** @param {Ui} ui @param {Uint8Array} data */
async function receive(ui, data) {
  const message = await openMessage(ui, data);
  if (!message) return;
  const { levels, stamp, palette, colours, panels } = message.header;
  Object.assign(ui, { levels, stamp, palette, colours, panels: unpackPanels(panels, message.bytes) });
  adoptChoice(ui, message.header);
  buildBlocks(ui);
  drawAll(ui);
}

/** @param {Ui} ui */
function buildBlocks(ui) {
  ui.blocks = ui.panels.map((panel) => {
    const element = make("div", { className: "plate" });
    const block = make("div", {}, make("h4", { textContent: panel.title }), element);
    const outlines = make("div");
    const plate = { ...createPlate(element), block, outlines, panel, layers: panel.layers, heads: panel.heads };
    element.append(outlines);
    watchPointer(ui, plate);
    element.onclick = (event) => onClick(ui, plate, event);
    return plate;
  });
  ui.find(".blocks").replaceChildren(...ui.blocks.map(({ block }) => block));
}

/**
 * The button of a pick takes it off.
 * @param {Ui} ui
 * @param {HTMLElement | null} button
 */
function takeOff(ui, button) {
  if (!button) return;
  const { layer, head } = ui.picks[[...ui.find(".heads").children].indexOf(button)];
  toggle(ui, { panel: ui.choice.panel, layer, head });
  ui.find(".heads").focus();
}
