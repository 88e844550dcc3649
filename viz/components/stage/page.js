// @ts-check
// A Streamlit page as the stage sees it: its leaves, and how they are hidden.

/** @import { Kind, Leaf } from "./builds.js" */

const LEAF = "[data-testid=stElementContainer]";
const WRAPPER = "[data-testid=stLayoutWrapper]";
const FRAME = ".st-key-stage-frame, [class*=st-key-save-stage], .st-key-frame-heard, .st-key-frame-bar";
const OFF = "data-off-stage";

/** @returns {HTMLElement | null} */
export const main = () => document.querySelector("[data-testid=stMainBlockContainer]");

/** What can be on the stage, in the order of the page. @returns {(Leaf & { node: HTMLElement })[]} */
export function leavesNow() {
  const nodes = /** @type {HTMLElement[]} */ ([...main().querySelectorAll(`${LEAF}, ${WRAPPER}`)]);
  return nodes.flatMap((node) => {
    const kind = kindOf(node);
    if (!kind || node.closest(FRAME)) return [];
    const named = node.closest("[class*=st-key-stage-]");
    const section = named ? /st-key-stage-(\w+)/.exec(named.className)[1] : "";
    const [row, column] = [node.closest("[data-testid=stHorizontalBlock]"), node.closest("[data-testid=stColumn]")];
    return [{ node, kind, section, row, column, lines: linesOf(node) }];
  });
}

/** @param {HTMLElement} node @returns {Kind | null} null for what is no leaf, or draws nothing */
function kindOf(node) {
  const has = (/** @type {string} */ selector) => node.querySelector(selector) !== null;
  if (node.matches(WRAPPER)) {
    const inner = node.firstElementChild;
    if (inner?.matches("[data-testid=stExpander]"))
      return node.closest("[class*=st-key-stage-question]") ? "question" : "text";
    return inner?.matches("[data-testid=stPopover]") ? "control" : null;
  }
  if (node.closest("[data-testid=stExpander]") || has(LEAF)) return null;
  if (has("[data-testid=stPlotlyChart]") || drawsCanvas(node)) return "picture";
  if (has("[data-testid=stHtml], [data-testid=stBidiComponentIsolated]")) return null;
  if (has("[data-testid=stHeading]")) return "heading";
  if (has("input, button, [role=slider], [role=combobox], [role=radiogroup]")) return "control";
  return has("[data-testid=stCaptionContainer]") ? "caption" : "text";
}

/** Of its text, about, whether it is seen or not. @param {HTMLElement} node */
function linesOf(node) {
  const rows = node.querySelectorAll("tr").length;
  return 1 + (rows ? 1.8 * rows : Math.ceil(node.textContent.length / 100));
}

/** @param {HTMLElement} node */
function drawsCanvas(node) {
  const root = node.querySelector("[data-testid=stBidiComponentIsolated]")?.shadowRoot;
  return Boolean(root?.firstElementChild?.childElementCount); // a component without markup only listens
}

/**
 * Leaves only these in the page, and what is around them.
 * @param {{ node: HTMLElement }[]} leaves
 * @param {Set<HTMLElement>} shown
 */
export function showOnly(leaves, shown) {
  for (const { node } of leaves) node.toggleAttribute(OFF, !shown.has(node));
  const blocks = [...main().querySelectorAll("[data-testid=stVerticalBlock], [data-testid=stHorizontalBlock]")];
  // A block that has lost all its leaves takes no room, nor does its column.
  for (const block of blocks.toReversed()) {
    if (block.matches(FRAME) || block.closest(FRAME)) continue;
    const around = block.parentElement.matches(`${WRAPPER}, [data-testid=stColumn]`) ? block.parentElement : block;
    const own = leaves.filter(({ node }) => around.contains(node));
    around.toggleAttribute(OFF, own.length > 0 && !own.some(({ node }) => shown.has(node)));
  }
}

/** Gives the page back. */
export function showAll() {
  for (const node of document.querySelectorAll(`[${OFF}]`)) node.removeAttribute(OFF);
}
