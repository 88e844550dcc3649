// @ts-check
// The life of a component: one ui for each mount, drawn anew when its width changes, and what it reports to Python.

import { showMessage } from "./dom.js";

/**
 * What Streamlit passes to a component; a page that was saved has no `setTriggerValue`, for nobody can be asked.
 * @typedef {object} Component
 * @property {HTMLElement | ShadowRoot} parentElement - it outlives every message
 * @property {any} data
 * @property {(name: string, value: unknown) => void} setStateValue
 * @property {(name: string, value: unknown) => void} [setTriggerValue]
 */

/**
 * What every component knows of a mount; each adds what is its own.
 * @typedef {object} Mount
 * @property {HTMLElement} root
 * @property {(selector: string) => any} find - the first element within the root
 * @property {number} sequence - of messages, so that an older one never draws over a newer one
 * @property {number} drawn - how often it has been painted
 * @property {number} width - of the root, in CSS pixels, when it was last drawn
 * @property {number} [timer] - the one that ends with the component
 * @property {number} [stamp] - by which Python knows the message
 * @property {string} [reportedDrawn] - what Python last heard about the painting
 * @property {any} [texts]
 * @property {any} [theme]
 */

/**
 * What a component does. `create` fills in a new ui; `receive` takes a message; `draw` draws what there is at the width
 * that there is; `onRoomKey` gets the arrow keys of a presentation; `failed` is the sentence for when all this fails.
 * @typedef {object} Behaviour
 * @property {string} root - selector of its outermost element
 * @property {(ui: any) => void} create
 * @property {(ui: any, data: any) => void | Promise<void>} receive
 * @property {(ui: any) => void} draw
 * @property {(ui: any, event: KeyboardEvent) => void} [onRoomKey]
 * @property {(ui: any) => string | undefined} [failed]
 * @property {(ui: any) => void} [leave]
 */

const memories = new WeakMap(); // mount element -> ui

/**
 * To be called with every message. Returns what Streamlit calls when the component goes.
 * @param {Component} component
 * @param {Behaviour} behaviour
 */
export function mount({ parentElement, data, setStateValue, setTriggerValue }, behaviour) {
  let ui = memories.get(parentElement);
  if (!ui) memories.set(parentElement, (ui = begin(parentElement, behaviour)));
  Object.assign(ui, { setStateValue, setTriggerValue, reportedDrawn: "" }); // Python may have forgotten what it heard
  ui.sequence += 1;
  const received = async () => behaviour.receive(ui, data);
  received().catch((error) => showMessage(ui, behaviour.failed?.(ui) ?? String(error)));
  return () => {
    clearTimeout(ui.timer);
    ui.observer.disconnect();
    document.removeEventListener("keydown", ui.roomKey);
    ui.sequence += 1; // nothing that is still being inflated may draw
    memories.delete(parentElement);
    behaviour.leave?.(ui);
  };
}

/** @param {HTMLElement | ShadowRoot} parent @param {Behaviour} behaviour */
function begin(parent, { root: selector, create, draw, onRoomKey }) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(selector));
  /** @type {any} */
  const ui = { root, find: (/** @type {string} */ name) => root.querySelector(name), sequence: 0, drawn: 0, width: 0 };
  create(ui);
  ui.observer = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - ui.width) >= 1) draw(ui);
  });
  ui.observer.observe(root);
  ui.roomKey = (/** @type {KeyboardEvent} */ event) => isPresentationKey(event) && onRoomKey?.(ui, event);
  document.addEventListener("keydown", ui.roomKey);
  return ui;
}

/**
 * Whether the page is shown to a room, where arrow keys need no focus, and nothing else has a use for this one.
 * @param {KeyboardEvent} event
 */
function isPresentationKey(event) {
  const presenting = getComputedStyle(document.documentElement).getPropertyValue("--regard-presenting");
  const others = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=combobox]";
  const target = /** @type {Element} */ (event.target);
  return Boolean(presenting) && event.key.startsWith("Arrow") && !event.defaultPrevented && !target.closest?.(others);
}

// ---- reports -------------------------------------------------------------------------------------------------------

const LEAVING = 2000; // ms within which a click on a link has led to a run of the script

let leftAt = -Infinity; // when a link was clicked, or the browser went back, and no run has begun since
const leave = () => (leftAt = performance.now());
const onClick = (/** @type {any} */ { target }) => target.closest?.("a[href]") && leave();
document.addEventListener("click", onClick, true);
addEventListener("popstate", leave);

/** A page that was saved runs no script. */
function isBusy() {
  const app = /** @type {HTMLElement | null} */ (document.querySelector("[data-test-script-state]"));
  return app !== null && app.dataset.testScriptState !== "notRunning";
}

/** @type {Set<() => void>} */
const waiting = new Set(); // to be looked at when a run has ended
const onScript = () => {
  if (isBusy()) leftAt = -Infinity;
  else waiting.forEach((look) => look());
};
new MutationObserver(onScript).observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });

/**
 * Reports when the page has nothing to do and is not being left. Streamlit sends what is reported meanwhile under the
 * name of the page that is still on the screen, and the answer to that undoes the click on another page.
 * @param {Mount} ui
 * @param {() => void} report
 */
export function whenIdle(ui, report) {
  const look = () => {
    const rest = leftAt + LEAVING - performance.now();
    if (ui.root.isConnected && (isBusy() || rest > 0)) {
      waiting.add(look);
      if (rest > 0) setTimeout(() => waiting.has(look) && look(), rest + 1); // the link may have led to this very page
      return;
    }
    waiting.delete(look);
    if (ui.root.isConnected) report();
  };
  look();
}

/**
 * Says by attributes, for whoever waits for the picture, that it has been painted.
 * @param {Mount} ui
 */
export function markDrawn(ui) {
  Object.assign(ui.root.dataset, { drawn: (ui.drawn += 1), seq: ui.sequence });
}

/**
 * Tells Python, once the picture can be seen: the stamp of the message, and the colour scheme. It does so after every
 * message, for Python forgets what it heard when a person looks at another page.
 * @param {any} ui
 */
export function reportDrawn(ui) {
  markDrawn(ui);
  const drawn = [ui.stamp, ui.theme?.scheme ?? ""];
  if (String(drawn) === ui.reportedDrawn) return;
  ui.reportedDrawn = String(drawn);
  requestAnimationFrame(() => setTimeout(() => whenIdle(ui, () => ui.setStateValue("drawn", drawn))));
}
