// The architecture map in the browser: lays out boxes and arrows, and answers pointer and keys. canvas.js, which comes
// before this text, holds what it shares with other components.
// Lengths are units of the drawing, y grows downwards. The encoder is on the left, and what goes around a sublayer goes
// on the outer side: `out` is -1 for the encoder, 1 for the decoder.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 700;
const BOX = { width: 220, high: 40, low: 26, beside: 136 };
const FROM_EDGE = { middle: 196, frame: 62, residual: 73, layers: 31, beside: 6 };
const SPACE = { arrow: 15, fork: 17, residual: 12, frame: 17, name: 12, sum: 30 };
const FORK = 62; // from the middle to an outer arrow
const SUM = 9; // radius of a plus sign's circle
const EDGE = 8; // above the drawing and below

export default function architectureMap(component) {
  const fail = (ui, error) => (ui.root.textContent = String(error));
  return mount(component, { root: ".architecture", createUi, drawAll, receive, fail });
}

function createUi(root) {
  const find = (selector) => root.querySelector(selector);
  find(".chosen button").onclick = () => find(".end").scrollIntoView({ behavior: "smooth" });
  return { root, find, svg: find("svg"), sequence: 0, drawn: 0, width: 0, block: null, boxes: [] };
}

async function receive(ui, data) {
  ui.sequence += 1;
  Object.assign(ui, { texts: data.texts, stacks: data.stacks, colours: data.colours });
  ui.boxes = data.boxes.map((box) => ({ ...box }));
  if (!ui.boxes.some(({ name }) => name === ui.block)) ui.block = data.chosen;
  drawAll(ui);
}

function node(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ---- layout --------------------------------------------------------------------------------------------------------

/** Puts the boxes of a stack one over the other, from y = 0 upwards, and notes what lies below each of them. */
function layOut(boxes) {
  let top = 0; // of what stands already
  let before = null;
  for (const box of boxes) {
    box.height = box.detail ? BOX.high : BOX.low;
    if (box.beside) {
      box.y = top - SPACE.sum; // the middle of the plus sign on the line, and of the box
      top = box.y - SUM;
      continue;
    }
    const skipped = boxes.some(({ skips }) => skips === box.name);
    const enters = box.inside && !before?.inside;
    const leaves = !box.inside && before?.inside;
    const gap = SPACE.arrow + (box.below.length > 1 ? SPACE.fork : 0) + (skipped ? SPACE.residual : 0);
    const around = enters ? SPACE.frame : leaves ? SPACE.frame + SPACE.name : 0;
    box.bottom = before ? top - gap - around : 0;
    box.top = box.bottom - box.height;
    box.y = (box.top + box.bottom) / 2;
    box.fork = box.bottom + SPACE.arrow - 1; // where arrows to a box with several part
    box.branch = box.bottom + gap - 10; // where a residual connection leaves the line
    box.from = top;
    top = box.top;
    before = box;
  }
  return top;
}

function drawAll(ui) {
  const width = ui.root.clientWidth;
  if (!width || !ui.boxes.length) return; // hidden: the observer calls again
  ui.width = width;
  ui.theme = readTheme(ui.root, ui.colours, 1);
  const focused = ui.svg.getRootNode().activeElement?.dataset?.name;
  const stacks = ["encoder", "decoder"].map((stack) => ui.boxes.filter((box) => box.stack === stack));
  const height = 2 * EDGE - Math.min(...stacks.map(layOut));
  for (const box of ui.boxes) {
    const decoder = box.stack === "decoder";
    box.out = decoder ? 1 : -1;
    box.x = decoder ? WIDTH - FROM_EDGE.middle : FROM_EDGE.middle;
  }
  ui.svg.setAttribute("viewBox", `0 ${EDGE - height} ${WIDTH} ${height}`);
  ui.svg.setAttribute("aria-label", ui.texts.label);
  ui.svg.replaceChildren(
    ...stacks.map((boxes) => drawFrame(ui, boxes)),
    ...stacks.flatMap(drawStack),
    ...drawAcross(...stacks),
    ...ui.boxes.map((box) => drawBox(ui, box)),
  );
  ui.boxes.forEach(fitBox);
  showChosen(ui);
  if (focused) ui.svg.querySelector(`[data-name="${focused}"]`)?.focus({ preventScroll: true });
  Object.assign(ui.root.dataset, { drawn: (ui.drawn += 1), seq: ui.sequence }); // for whoever waits for the picture
}

// ---- arrows --------------------------------------------------------------------------------------------------------

/** A line through points, with a head at its end. */
function arrow(...points) {
  const [[x0, y0], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - x0), Math.sign(y - y0)];
  const back = [x - 7 * dx, y - 7 * dy];
  const head = [[x, y], [back[0] - 3.5 * dy, back[1] + 3.5 * dx], [back[0] + 3.5 * dy, back[1] - 3.5 * dx]];
  return [line(...points.slice(0, -1), back), node("path", { class: "head", d: `M${head.join("L")}Z` })];
}

const line = (...points) => node("path", { d: `M${points.join("L")}` });

function letter(text, x, y) {
  const made = node("text", { class: "letter", x, y });
  made.textContent = text;
  return made;
}

function drawStack(boxes) {
  return boxes.flatMap((box) => [
    ...(box.beside ? drawSum(box) : box.from === 0 ? [] : drawBelow(box)),
    ...(box.skips ? drawResidual(boxes, box) : []),
  ]);
}

/** From the box below into this one, in as many arrows as it has letters. */
function drawBelow({ x, from, bottom, fork, below }) {
  if (below.length < 2) {
    const letters = below.map((text) => letter(text, x + 10, bottom + 12));
    return [...arrow([x, from], [x, bottom]), ...letters];
  }
  const places = below.map((_, at) => x + FORK * ((2 * at) / (below.length - 1) - 1));
  return [
    line([x, from], [x, fork]),
    line([places[0], fork], [places.at(-1), fork]),
    ...places.flatMap((place) => arrow([place, fork], [place, bottom])),
    ...below.map((text, at) => letter(text, places[at] + 10, bottom + 12)),
  ];
}

/** Around a sublayer. */
function drawResidual(boxes, box) {
  const { branch } = boxes.find(({ name }) => name === box.skips);
  const side = box.out < 0 ? FROM_EDGE.residual : WIDTH - FROM_EDGE.residual;
  const into = box.x + (box.out * BOX.width) / 2;
  return arrow([box.x, branch], [side, branch], [side, box.y], [into, box.y]);
}

/** A plus sign on the line, and an arrow from the box beside it. */
function drawSum(box) {
  const { x, y, out } = box;
  const edge = besideEdge(box);
  return [
    ...arrow([x, y + SPACE.sum], [x, y + SUM]),
    node("circle", { class: "layer sum", cx: x, cy: y, r: SUM }),
    line([x - 5, y], [x + 5, y]),
    line([x, y - 5], [x, y + 5]),
    ...arrow([edge, y], [x + out * SUM, y]),
  ];
}

/** Where the box beside a plus sign ends, on the side of the line. */
const besideEdge = ({ out }) => {
  const inner = FROM_EDGE.beside + BOX.beside;
  return out < 0 ? inner : WIDTH - inner;
};

/** From the top of the encoder to the boxes of the decoder that look across. */
function drawAcross(encoder, decoder) {
  const last = encoder.at(-1);
  const high = last.top - SPACE.frame - 12;
  return decoder.filter(({ across }) => across.length).flatMap((box) => {
    const into = box.x - BOX.width / 2;
    const down = Math.sign(box.y - high);
    return box.across.flatMap((text, at) => {
      const share = at - (box.across.length - 1) / 2;
      const x = WIDTH / 2 - 16 * share * down; // lines that run beside each other do not cross
      const y = box.y + 18 * share;
      const start = at ? [] : [[last.x, last.top]];
      return [
        ...arrow(...start, [last.x, high], [x, high], [x, y], [into, y]),
        letter(text, into - 25, share < 0 ? y - 5 : y + 13),
      ];
    });
  });
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

/** Around the layer of a stack, with its name and how often it is there. */
function drawFrame(ui, boxes) {
  const inside = boxes.filter((box) => box.inside);
  const { stack, out } = boxes[0];
  const [name, times] = ui.stacks[stack];
  const [top, bottom] = [inside.at(-1).top - SPACE.frame, inside[0].branch + 8];
  const left = out < 0 ? FROM_EDGE.frame : WIDTH / 2 + 28;
  const width = WIDTH / 2 - 28 - FROM_EDGE.frame;
  const words = (name, text, x, y) => {
    const made = node("text", { class: name, x, y });
    made.textContent = text;
    return made;
  };
  return node(
    "g",
    {},
    node("rect", { class: "layer", x: left, y: top, width, height: bottom - top, rx: 10 }),
    words(`stack ${stack}`, name, left + (out < 0 ? 0 : width), top - 8),
    words("layers", times, out < 0 ? FROM_EDGE.layers : WIDTH - FROM_EDGE.layers, (top + bottom) / 2),
  );
}

function drawBox(ui, box) {
  const wide = box.beside ? BOX.beside : BOX.width;
  const edge = besideEdge(box);
  const left = box.beside ? (box.out < 0 ? edge - wide : edge) : box.x - wide / 2;
  const top = box.y - box.height / 2;
  const shape = { x: left, y: top, width: wide, height: box.height, rx: 6 };
  const around = { x: left - 4, y: top - 4, width: wide + 8, height: box.height + 8, rx: 9 };
  const middle = left + wide / 2;
  const label = node("text", { x: middle, y: box.y + (box.detail ? -3 : 4.5) });
  const detail = node("text", { class: "detail", x: middle, y: box.y + 13.5 });
  label.textContent = box.label;
  detail.textContent = box.detail;
  box.words = { label, detail, room: wide - 16 };
  const element = node(
    "g",
    { class: "block", role: "button", tabindex: 0, "aria-label": `${box.title} ${box.detail}`, "data-name": box.name },
    node("rect", { ...shape, class: "face" }),
    node("rect", { ...around, class: "ring" }),
    label,
    ...(box.detail ? [detail] : []),
  );
  if (box.colour !== null) element.style.setProperty("--colour", ui.colours[ui.theme.scheme][box.colour]);
  element.onclick = () => pick(ui, box.name);
  element.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // the space bar must not scroll the page
    pick(ui, box.name);
  };
  return element;
}

/** Words that are wider than their box: the label is pressed together, the detail is cut. */
function fitBox({ words: { label, detail, room } }) {
  if (label.getComputedTextLength() > room) {
    label.setAttribute("textLength", room);
    label.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  const points = Array.from(detail.textContent);
  while (points.length && detail.getComputedTextLength() > room) {
    points.pop();
    detail.textContent = `${points.join("").trimEnd()}…`;
  }
}

function pick(ui, name) {
  ui.block = name;
  showChosen(ui);
  ui.setStateValue("block", name);
}

/** Marks the chosen box, and says in the drawing's empty corner what it does. */
function showChosen(ui) {
  for (const each of ui.svg.querySelectorAll(".block")) {
    each.setAttribute("aria-pressed", String(each.dataset.name === ui.block));
  }
  const { title, says } = ui.boxes.find(({ name }) => name === ui.block);
  ui.find(".chosen strong").textContent = title;
  ui.find(".chosen p").textContent = says;
  ui.find(".chosen button").textContent = ui.texts.below;
}
