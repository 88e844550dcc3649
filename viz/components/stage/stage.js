// @ts-check
// A page in front of a room: one build after the other fills the screen. PageDown and PageUp, which a clicker sends,
// or Right and Left where no picture wants them, go on and back, at the ends to the next and the previous scene.

/** @import { Build } from "./builds.js" */

import { make } from "../shared/dom.js";
import { buildsOf, turned } from "./builds.js";
import { fit, fitText, loose } from "./fit.js";
import { leavesNow, main, showAll, showOnly } from "./page.js";

/** @type {{ scene: string, at: number, fromEnd: boolean } | undefined} */
let open; // of the tab: the element may be made anew with every run
/** @type {(() => void) | undefined} */
let running; // Streamlit calls with every message, and says when the component goes

const REST = 400; // milliseconds
const FORTH = new Set(["PageDown", "ArrowRight"]);
const BACK = new Set(["PageUp", "ArrowLeft"]);

/** @param {{ data: any, parentElement: any, setStateValue: (name: string, value: unknown) => void }} component */
export default function stage({ data, parentElement, setStateValue }) {
  running?.();
  const bar = parentElement.querySelector(".bar");
  if (open?.scene !== data.scene) {
    open = { scene: data.scene, at: open ? 0 : data.build, fromEnd: open?.fromEnd ?? false };
  }
  /** @type {Build[]} */
  let builds = [];
  /** @type {HTMLElement[]} */
  let touched = [];
  let stamp = 0;
  let report = 0;
  let before = "";

  const show = () => {
    const leaves = leavesNow();
    builds = buildsOf(leaves);
    if (!builds.length) return;
    if (open.fromEnd) open.at = builds.length - 1;
    const at = Math.min(open.at, builds.length - 1);
    const build = builds[at];
    const nodes = build.leaves.map((place) => leaves[place].node);
    const now = `${at} ${builds.length} ${nodes.map((node) => ids.of(node)).join()} ${innerWidth} ${innerHeight}`;
    showOnly(leaves, new Set(nodes));
    main().dataset.build = build.name;
    openAnswer(leaves, build.name === "answer");
    if (now !== before) {
      before = now;
      touched.forEach(loose);
      const pictures = build.pictures.map((place) => leaves[place].node);
      const row = /** @type {HTMLElement} */ (leaves[build.pictures[0]]?.row);
      const fitted = pictures.length > 1 ? [row.parentElement] : pictures;
      const mine = ++stamp;
      delete main().dataset.settled;
      const fits = fitted.map((node) => fit(node, nodes, () => mine === stamp));
      Promise.all(fits).then(() => mine === stamp && (main().dataset.settled = String(at)));
      if (!fitted.length) fitText(nodes);
      touched = [...fitted, ...nodes];
      bar.replaceChildren(...builds.map((_, each) => make("i", { className: each <= at ? "past" : "" })));
      bar.setAttribute("aria-label", `${at + 1} / ${builds.length}`);
    }
  };

  const go = (/** @type {number} */ by) => {
    clearTimeout(report);
    const to = turned(Math.min(open.at, builds.length - 1), builds.length, by);
    open.fromEnd = to === "previous";
    if (typeof to === "number") {
      open.at = to;
      show();
      // Told when one has come to rest: it must not cut short the run of the scene that is turned to.
      report = setTimeout(() => setStateValue("build", to), REST);
    } else if (data.keys[to] && !document.querySelector("[data-test-script-state=running]")) {
      // While the page is made there are builds to come.
      const button = document.querySelector(`.st-key-${data.keys[to]} button:not(:disabled)`);
      if (button) /** @type {HTMLElement} */ (button).click();
    }
  };

  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const arrow = event.key.startsWith("Arrow");
    const target = /** @type {Element} */ (event.composedPath()[0]);
    if (arrow && (event.defaultPrevented || target.closest?.("input, textarea, [role=slider], [role=listbox]"))) return;
    if (!FORTH.has(event.key) && !BACK.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    open.fromEnd = false;
    go(FORTH.has(event.key) ? 1 : -1);
  };

  let waiting = 0;
  const later = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(show);
  };
  const watch = new MutationObserver(later);
  watch.observe(main(), { childList: true, subtree: true });
  const regular = setInterval(later, 300); // what a canvas draws is not seen by the observer
  addEventListener("resize", later);
  // PageUp and PageDown before anything scrolls, the arrows after the pictures that use them.
  const early = (/** @type {KeyboardEvent} */ event) => event.key.startsWith("Page") && onKey(event);
  const late = (/** @type {KeyboardEvent} */ event) => event.key.startsWith("Arrow") && onKey(event);
  document.addEventListener("keydown", early, true);
  document.addEventListener("keydown", late);
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  show();
  const stop = () => {
    stamp++;
    clearTimeout(report);
    watch.disconnect();
    clearInterval(regular);
    cancelAnimationFrame(waiting);
    removeEventListener("resize", later);
    document.removeEventListener("keydown", early, true);
    document.removeEventListener("keydown", late);
    touched.forEach(loose);
    if (running !== stop) return; // another has the page now
    running = undefined;
    delete main()?.dataset.build;
    showAll();
  };
  running = stop;
  return stop;
}

/** Numbers for elements, so that one can be told from another. */
const ids = {
  known: new WeakMap(),
  next: 0,
  /** @param {object} node */
  of(node) {
    if (!this.known.has(node)) this.known.set(node, this.next++);
    return this.known.get(node);
  },
};

/** @param {{ kind: string, node: HTMLElement }[]} leaves @param {boolean} wanted */
function openAnswer(leaves, wanted) {
  for (const { kind, node } of leaves) {
    const details = kind === "question" ? node.querySelector("details") : null;
    if (details && details.open !== wanted) details.querySelector("summary").click();
  }
}
