// @ts-check
// Elements of the page: made, filled with sentences, and the one that says what went wrong. All text stays text.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function makeSvg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * A sentence with its gaps filled; what fills them is isolated, so that a right-to-left piece moves nothing else.
 * @param {Element} node
 * @param {string} sentence
 * @param {Record<string, unknown>} values
 */
export function writeSentence(node, sentence, values) {
  const parts = sentence.split(/\{(\w+)\}/);
  node.replaceChildren(...parts.map((part, at) => (at % 2 ? make("bdi", { textContent: values[part] }) : part)));
}

/**
 * Shows a sentence instead of the picture; an empty one brings the picture back.
 * @param {{ root: HTMLElement, find: (selector: string) => any }} ui
 * @param {string} text
 */
export function showMessage({ root, find }, text) {
  Object.assign(find(".message"), { textContent: text, hidden: !text });
  root.classList.toggle("empty", Boolean(text));
}
