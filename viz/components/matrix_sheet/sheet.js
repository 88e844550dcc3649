// @ts-check
// The matrix sheet in the browser: takes the message of __init__.py, and draws matrices small or one of them large.
// Words: an *axis* is what rows or columns are; *chosen* is what Python says is chosen on it, *pointed* what the
// pointer is at; a *sheet* is all mounts with the same name, and shows both everywhere. The *view* is what can be seen
// of a matrix: a small one is seen whole, an enlarged one through a window whose labels stay when the cells scroll.

import { make } from "../shared/dom.js";
import { mount } from "../shared/lifecycle.js";
import { openMessage } from "../shared/message.js";
import { drawAll, showMarks } from "./draw.js";
import { buildFigures } from "./figures.js";
import { unpackMatrices } from "./levels.js";
import { enlarge } from "./pointing.js";

/** @import { Component } from "../shared/lifecycle.js" */
/** @import { Ui } from "./types.js" */

const sheets = (globalThis.regardMatrixSheets ??= new Map()); // name -> { chosen, pointed, uis }

/** Hands this script to the mounts (mount.js), also to those that came before it. */
export default function matrixSheetScript() {
  const script = (globalThis.regardMatrixSheet ??= { waiting: [] });
  script.draw ??= draw;
  script.waiting.splice(0).forEach((begin) => begin());
}

/** @param {Component} component */
function draw(component) {
  const leave = (ui) => ui.shared?.uis.delete(ui);
  const failed = (ui) => ui.texts?.failed;
  return mount(component, { root: ".matrix-sheet", create, receive, draw: drawAll, leave, failed });
}

/** @param {Ui} ui */
function create(ui) {
  Object.assign(ui, { save: make("div", { className: "save", role: "group" }), figures: [], large: null });
  ui.root.onkeydown = (event) => event.key === "Escape" && ui.large && enlarge(ui, null);
}

/** @param {Ui} ui @param {Uint8Array} data */
async function receive(ui, data) {
  const message = await openMessage(ui, data);
  if (!message) return;
  Object.assign(ui, message.header);
  join(ui);
  ui.matrices = unpackMatrices(message.header, message.bytes.buffer);
  buildFigures(ui);
  drawAll(ui);
}

/** @param {Ui} ui */
function join(ui) {
  ui.shared?.uis.delete(ui);
  if (!sheets.has(ui.sheet)) sheets.set(ui.sheet, { chosen: {}, pointed: {}, uis: new Set() });
  ui.shared = sheets.get(ui.sheet);
  ui.shared.uis.add(ui);
  if (!ui.chosen) return;
  ui.shared.chosen = ui.chosen;
  ui.shared.uis.forEach(showMarks);
}
