// @ts-check
// The strip of pieces: shows at each of them what else the model had in mind. All pieces are one tab stop, within which
// arrow keys go from piece to piece.

import { make } from "../shared/dom.js";
import { fill, percent, within } from "../shared/format.js";

/**
 * @typedef {{ label: string, p: number, taken: boolean }} Option
 * @typedef {{ label: string, p: number, options: Option[] }} Step
 * @typedef {object} Data - what __init__.py sends
 * @property {Record<string, string>} texts
 * @property {boolean} brief
 * @property {string} text
 * @property {string[]} source
 * @property {Step[]} steps
 * @property {number} rows
 */

/** @param {number} p */
function bar(p) {
  const inner = make("i");
  inner.style.width = `${100 * p}%`;
  return make("span", { className: "bar" }, inner);
}

/** @param {Option} option */
const optionItem = ({ label, p, taken }) =>
  make(
    "li",
    { className: taken ? "taken" : "" },
    make("span", { className: "label", textContent: label }),
    bar(p),
    make("span", { className: "number", textContent: percent(p) }),
  );

/** @param {{ parentElement: HTMLElement | ShadowRoot, data: Data }} component */
export default function tokenStrip({ parentElement, data }) {
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (parentElement.querySelector(selector));
  const { texts, text, source, steps, rows, brief } = data;
  find(".strip").classList.toggle("brief", brief);
  find(".translation").textContent = text || texts.nothing;
  find(".source-name").textContent = texts.source;
  find(".target-name").textContent = texts.target;
  find(".source").replaceChildren(...source.map((label) => make("span", { className: "chip", textContent: label })));
  // The rows of the longest list are reserved, so that looking from step to step moves nothing.
  find(".options").style.minHeight = `${1.45 * rows}rem`;

  const target = find(".target");
  const chips = steps.map((step, at) => {
    const probability = make("small", { textContent: percent(step.p) });
    const chip = make(brief ? "span" : "button", { className: "chip" }, step.label, probability, bar(step.p));
    if (!brief) Object.assign(chip, { type: "button", onmouseenter: () => show(at), onfocus: () => show(at) });
    if (!brief) chip.onclick = () => chip.focus();
    return chip;
  });
  target.replaceChildren(...chips);
  if (brief) return;

  Object.assign(target, { role: "toolbar", ariaLabel: texts.target });
  target.onkeydown = (event) => {
    const last = chips.length - 1;
    const at = chips.findIndex((chip) => chip === event.target);
    /** @type {Record<string, number>} */
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const to = ways[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // neither the page nor a presentation may take the key
    chips[within(to, 0, last)].focus();
  };

  const least = steps.reduce((best, step, at) => (step.p < steps[best].p ? at : best), 0);

  /** @param {number} at */
  function show(at) {
    chips.forEach((chip, each) =>
      Object.assign(chip, { ariaPressed: String(each === at), tabIndex: each === at ? 0 : -1 }),
    );
    const values = { step: at + 1, steps: steps.length, least: at === least ? texts.least : "" };
    find(".step").textContent = fill(texts.step, values);
    find(".options").replaceChildren(...steps[at].options.map(optionItem));
  }
  show(least); // where the model was least sure: the step with something to see
}
