// @ts-check
// One step of the recurrent model: scores, weights, weighted states, and the next pieces.

import { make, writeSentence } from "../shared/dom.js";
import { fill, percent, shown, signed, within } from "../shared/format.js";
import { paintStrip } from "../shared/legend.js";
import { LEVELS } from "./unpack.js";

/** @import { NextPiece, Ui } from "./types.js" */

/**
 * What does not change from step to step: the table's rows, its words, and room for the longest list of options.
 * @param {Ui} ui
 */
export function buildTable(ui) {
  const { texts, find, play } = ui;
  const strip = (label) => make("canvas", { className: "strip", role: "img", ariaLabel: label });
  const heading = (scope, name, explanation) =>
    make("th", { scope }, make("small", { textContent: explanation }), make("span", { textContent: name }));
  const measure = (kind) => {
    const [value, bar] = [make("span"), make("i")];
    return { value, bar, cell: make("td", { className: kind }, value, make("span", { className: "bar" }, bar)) };
  };
  ui.rows = (play.attention ? play.source : []).map((label) => {
    const piece = shown(label);
    const row = { score: measure("score"), weight: measure("weight"), strip: strip(fill(texts.strip_aria, { piece })) };
    const name = make("th", { scope: "row", title: piece }, make("bdi", { textContent: piece }));
    row.element = make("tr", {}, name, row.score.cell, row.weight.cell, make("td", {}, row.strip));
    return row;
  });
  ui.sum = strip(texts.sum);
  const sum = heading("row", texts.sum, play.attention ? texts.sum_says : texts.same_says);
  if (play.attention) sum.colSpan = 3;
  const columns = [
    [texts.piece, texts.piece_says],
    [texts.score, texts.score_says],
    [texts.weight, texts.weight_says],
    [texts.weighted, texts.weighted_says],
  ].map(([name, explanation]) => heading("col", name, explanation));
  find("thead").replaceChildren(...(play.attention ? [make("tr", {}, ...columns)] : []));
  find("tbody").replaceChildren(...ui.rows.map((row) => row.element));
  find("tfoot").replaceChildren(make("tr", {}, sum, make("td", {}, ui.sum)));
  find(".step h3").textContent = find(".box").ariaLabel = fill(texts.title, { name: play.name });
  find(".number").textContent = texts.number_hint;
  find(".strips").textContent = fill(texts.strips, { width: play.width, largest: play.largest.toPrecision(2) });
  find(".panel").style.setProperty("--options", play.mostOptions);
}

/** @param {Ui} ui */
export function drawPanel(ui) {
  const { find, play, step, texts } = ui;
  writeSentence(find(".moves"), texts.moves, { read: shown(play.read[step]), predicted: shown(play.predicted[step]) });
  ui.stepper.draw(find(".moves").textContent);
  const colour = (share) => ui.theme.diverging[Math.round((LEVELS / 2) * (1 + within(share, -1, 1)))];
  ui.rows.forEach((row, at) => {
    const score = play.scores[step * ui.rows.length + at];
    const weight = play.weights[step * ui.rows.length + at];
    row.score.value.textContent = signed(score, 2);
    const length = play.largestScore ? (50 * Math.abs(score)) / play.largestScore : 0;
    Object.assign(row.score.bar.style, { left: `${score < 0 ? 50 - length : 50}%`, width: `${length}%` });
    row.weight.value.textContent = weight.toFixed(3);
    row.weight.bar.style.width = `${100 * weight}%`;
    paintStrip(row.strip, play.width, 1, (x) => colour((weight * play.states[at * play.width + x]) / play.levels));
  });
  paintStrip(ui.sum, play.width, 1, (x) => colour(play.contexts[step * play.width + x] / play.largest));
  const lists = play.options.map((side, at) => (side ? [optionList(ui, side[step], at)] : []));
  find(".options").replaceChildren(...lists.flat());
  if (play.attention) showHeaviest(ui);
}

/**
 * Scrolls the table, and nothing but the table, when the row with the largest weight is out of sight.
 * @param {Ui} ui
 */
function showHeaviest(ui) {
  const { play, step, find } = ui;
  const weights = play.weights.subarray(step * ui.rows.length, (step + 1) * ui.rows.length);
  const row = ui.rows[weights.indexOf(Math.max(...weights))].element;
  const box = find(".box");
  const room = box.clientHeight - find("thead").offsetHeight - find("tfoot").offsetHeight;
  const above = row.offsetTop - find("thead").offsetHeight - box.scrollTop;
  if (above < 0 || above + row.offsetHeight > room) box.scrollTop += above - (room - row.offsetHeight) / 2;
}

/** @param {Ui} ui @param {NextPiece[]} options @param {number} at */
function optionList(ui, options, at) {
  const name = at ? ui.maps[1].title : ui.play.name;
  const rows = options.map(([label, probability, taken]) => {
    const bar = make("i");
    bar.style.width = `${100 * probability}%`;
    return make(
      "li",
      { className: taken ? "taken" : "", title: shown(label) },
      make("bdi", { textContent: shown(label) }),
      make("span", { className: "bar" }, bar),
      make("span", { textContent: percent(probability) }),
      make("span", { className: "said", textContent: taken ? ui.texts.taken : "" }),
    );
  });
  return make("div", {}, make("h4", { textContent: fill(ui.texts.options, { name }) }), make("ol", {}, ...rows));
}

/**
 * The number of a strip that is pointed at; those of states came in steps, so they are approximate.
 * @param {Ui} ui
 * @param {any} event
 */
export function readStrip(ui, { target, clientX }) {
  if (!target.classList.contains("strip")) return;
  const { play, step, texts } = ui;
  const box = target.getBoundingClientRect();
  const x = within(Math.floor(((clientX - box.left) / box.width) * play.width), 0, play.width - 1);
  const at = ui.rows.findIndex((row) => row.strip === target);
  const weight = at < 0 ? 1 : play.weights[step * ui.rows.length + at];
  const approximate = at < 0 ? 0 : (play.states[at * play.width + x] / play.levels) * play.largest;
  const state = at < 0 ? play.contexts[step * play.width + x] : approximate;
  writeSentence(ui.find(".number"), at < 0 ? texts.number_sum : texts.number, {
    piece: at < 0 ? "" : shown(play.source[at]),
    number: x + 1,
    width: play.width,
    weight: weight.toFixed(3),
    state: signed(state, at < 0 ? 4 : 3),
    product: signed(weight * state, 3),
  });
}
