// @ts-check
// A mount of the matrix sheet. The script that draws (sheet.js) is long and a page has many mounts, so it comes once,
// with an element of its own; whoever is there before it waits.

/**
 * @typedef {import("../shared/lifecycle.js").Component} Component
 * @typedef {object} Script
 * @property {(() => void)[]} waiting
 * @property {(component: Component) => () => void} [draw] - once it is there
 */

/** @type {Script} */
const script = /** @type {any} */ (globalThis.regardMatrixSheet ??= { waiting: [] });

/** @param {Component} component */
export default function mountWaiting(component) {
  let gone = false;
  let leave = () => {};
  const begin = () => {
    if (!gone && script.draw) leave = script.draw(component);
  };
  if (script.draw) begin();
  else script.waiting.push(begin);
  return () => {
    gone = true;
    leave();
  };
}
