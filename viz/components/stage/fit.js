// @ts-check
// A picture as large as the room that the rest of its build leaves. A chart is told its height; a canvas is given the
// width with which, made larger or smaller as a whole, it is best to see.

const LARGEST = 1.7;
const WIDTHS = [0.4, 0.5, 0.6, 0.7, 0.85, 1, 1.25, 1.6, 2.2]; // of what there is
const LOWEST = 120; // pixels
const DRAWN = 40; // pixels: a canvas that is lower has not drawn yet
const PATIENCE = 3000; // milliseconds
const LEAST = 0.5; // of the screen for the picture
const SPARE = 16; // pixels below, for the bar
const CHART = "[data-testid=stPlotlyChart]";
const LEAF = "[data-testid=stElementContainer]";

const SET = ["width", "max-width", "transform", "transform-origin", "margin-bottom", "flex", "zoom", "visibility"];

const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

/** @param {HTMLElement} node */
export function loose(node) {
  for (const name of SET) node.style.removeProperty(name);
  for (const each of chartsIn(node)) Object.assign(each.style, { height: "", flex: "" });
}

/** The charts of a node, with what Streamlit puts around each. @param {HTMLElement} node @returns {HTMLElement[]} */
function chartsIn(node) {
  const around = `${CHART}, :has(> ${CHART}), ${LEAF}:has(${CHART})`;
  const inside = /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(around));
  return [...(node.matches(around) ? [node] : []), ...inside];
}

/**
 * @param {HTMLElement} node - a picture, or a row of them
 * @param {HTMLElement[]} visible - everything of the build
 * @param {() => boolean} current - whether this build is still the one that is shown
 */
export async function fit(node, visible, current) {
  loose(node);
  // What was hidden draws when it is shown, a canvas with many heads only after a while.
  for (let waited = 0; waited < PATIENCE && current() && node.offsetHeight < DRAWN; waited += 60) await pause(60);
  await pause(60);
  if (!current() || !node.isConnected) return;
  const others = visible.filter((each) => !node.contains(each));
  let room = 0;
  for (let zoom = 1; zoom > 0.55; zoom -= 0.1) {
    for (const { style } of others) style.zoom = zoom === 1 ? "" : String(zoom);
    const bottom = Math.max(...visible.map((each) => each.getBoundingClientRect().bottom));
    room = node.offsetHeight + innerHeight - SPARE - bottom;
    if (room >= LEAST * innerHeight) break; // else controls and words are made smaller
  }
  room = Math.max(LOWEST, room);
  const charts = chartsIn(node);
  if (charts.length) {
    const rest = node.offsetHeight - Math.max(...charts.map((each) => each.offsetHeight)); // captions in the same row
    const height = `${Math.max(LOWEST, room - rest)}px`;
    for (const each of charts) Object.assign(each.style, { height, flex: "none" });
  }
  else await scaled(node, room, current);
}

/** Words smaller, if they are too many for the screen. @param {HTMLElement[]} nodes */
export function fitText(nodes) {
  for (let zoom = 1; zoom > 0.5 && nodes.length; zoom -= 0.05) {
    for (const { style } of nodes) style.zoom = zoom === 1 ? "" : String(zoom);
    if (Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom)) < innerHeight - SPARE) return;
  }
}

/**
 * Tries widths, since one canvas grows with its width and another, whose words then break, with its narrowness.
 * @param {HTMLElement} node
 * @param {number} room - pixels
 * @param {() => boolean} current
 */
async function scaled(node, room, current) {
  const all = node.offsetWidth;
  const place = async (/** @type {number} */ width, /** @type {number} */ scale) => {
    Object.assign(node.style, { width: `${width}px`, maxWidth: "none", flex: "none", transformOrigin: "0 0" });
    Object.assign(node.style, { transform: scale === 1 ? "" : `scale(${scale})`, marginBottom: "" });
    await pause(40); // until what is told its width has drawn
    return node.offsetHeight;
  };
  node.style.visibility = "hidden";
  let best = { width: all, scale: 1, score: 0 };
  for (const share of WIDTHS) {
    const width = share * all;
    const height = await place(width, 1);
    if (!current()) break;
    const scale = Math.min(LARGEST, all / width, room / height);
    const score = Math.min(scale, 1.2) * Math.sqrt((width * scale * height * scale) / (all * room));
    if (score > best.score) best = { width, scale, score };
  }
  node.style.visibility = "";
  if (!current()) return;
  await place(best.width, best.scale);
  if (current()) node.style.marginBottom = `${(best.scale - 1) * node.offsetHeight}px`; // a transform takes no room
}
