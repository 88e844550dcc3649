// @ts-check
// Which parts of a page are on the screen together while it is presented: a list of builds, made from the page's leaves
// in their order. Nothing here knows the document.

/**
 * @typedef {"picture" | "control" | "heading" | "caption" | "text" | "question"} Kind
 * @typedef {{ kind: Kind, section: string, row: unknown, column: unknown, lines: number }} Leaf - in columns of a row,
 *   pictures are beside each other; `lines` of text, about
 * @typedef {{ name: string, leaves: number[], pictures: number[] }} Build - places in the list of leaves
 */

const SCREEN = 18; // lines of text

/**
 * Of a scene: its idea, each picture with its controls, the formula, how to read it, what to try, the question, the
 * answer. Of a page, whose leaves have no section: its pictures.
 * @param {Leaf[]} leaves
 * @returns {Build[]}
 */
export function buildsOf(leaves) {
  const of = (/** @type {string} */ section) =>
    leaves.flatMap((leaf, at) => (leaf.section === section && leaf.kind !== "question" ? [at] : []));
  const scene = leaves.some(({ section }) => section === "idea");
  const { pictures, left } = picturesOf(leaves, of(scene ? "scene" : ""), scene);
  const questions = leaves.flatMap((leaf, at) => (leaf.kind === "question" ? [at] : []));
  const all = [
    { name: "idea", leaves: of("idea"), pictures: [] },
    ...pictures,
    { name: "formula", leaves: of("formula"), pictures: [] },
    ...readable(leaves, left),
    { name: "try", leaves: of("try"), pictures: [] },
    { name: "question", leaves: questions, pictures: [] },
    { name: "answer", leaves: questions, pictures: [] },
  ];
  return all.filter((build) => build.leaves.length);
}

/**
 * A build for each picture, with the controls and headings before it and the caption after it. In a scene, what is to
 * be chosen before the first picture is about all of them. What is left over is text.
 * @param {Leaf[]} leaves
 * @param {number[]} places
 * @param {boolean} scene
 * @returns {{ pictures: Build[], left: number[] }}
 */
function picturesOf(leaves, places, scene) {
  /** @type {Build[]} */
  const pictures = [];
  /** @type {number[]} */
  const left = [];
  /** @type {number[]} */
  let before = [];
  /** @type {number[]} */
  let always = [];
  for (const [nth, at] of places.entries()) {
    const { kind, row, column } = leaves[at];
    const last = pictures.at(-1);
    const previous = nth ? leaves[places[nth - 1]] : undefined;
    if (kind === "control" || kind === "heading") before.push(at);
    else if (kind === "caption" && previous?.kind === "picture" && last) last.leaves.push(at);
    else if (kind !== "picture") left.push(at);
    else if (last && column && isBeside(leaves[last.pictures.at(-1)], row, column) && !before.length) {
      last.leaves.push(at);
      last.pictures.push(at);
    } else {
      if (!last && scene) [always, before] = [before, []];
      pictures.push({ name: "picture", leaves: [...always, ...before, at], pictures: [at] });
      before = [];
    }
  }
  return { pictures, left: [...left, ...before].toSorted((a, b) => a - b) };
}

/**
 * What is to be read, in as many builds as it takes.
 * @param {Leaf[]} leaves
 * @param {number[]} places
 * @returns {Build[]}
 */
function readable(leaves, places) {
  /** @type {Build[]} */
  const screens = [];
  let lines = Infinity;
  for (const at of places) {
    if (lines + leaves[at].lines > SCREEN) {
      screens.push({ name: "reading", leaves: [], pictures: [] });
      lines = 0;
    }
    screens.at(-1).leaves.push(at);
    lines += leaves[at].lines;
  }
  return screens;
}

/** @param {Leaf} leaf @param {unknown} row @param {unknown} column */
const isBeside = (leaf, row, column) => leaf.row === row && leaf.column !== column;

/**
 * @param {number} at - a build
 * @param {number} count
 * @param {number} by - 1 or -1
 * @returns {number | "next" | "previous"} another build, or beyond the last or the first
 */
export function turned(at, count, by) {
  if (at + by >= count) return "next";
  return at + by < 0 ? "previous" : at + by;
}
