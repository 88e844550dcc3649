// What is on the screen together in a presentation.

import assert from "node:assert/strict";
import { test } from "node:test";

import { buildsOf, turned } from "../../viz/components/stage/builds.js";

const leaf = (kind, section = "", row = null, column = null, lines = 1) => ({ kind, section, row, column, lines });
const named = (leaves) => buildsOf(leaves).map(({ name, leaves: places }) => [name, ...places]);

test("a scene is its idea, its pictures, its formula, how to read them, what to try, the question, the answer", () => {
  const scene = [
    leaf("text", "idea"),
    leaf("text", "formula"),
    leaf("control", "scene"),
    leaf("picture", "scene"),
    leaf("caption", "scene"),
    leaf("text", "scene"),
    leaf("control", "scene"),
    leaf("picture", "scene"),
    leaf("text", "try"),
    leaf("question", "question"),
  ];
  assert.deepEqual(named(scene), [
    ["idea", 0],
    ["picture", 2, 3, 4],
    ["picture", 2, 6, 7],
    ["formula", 1],
    ["reading", 5],
    ["try", 8],
    ["question", 9],
    ["answer", 9],
  ]);
});

test("on a page a control belongs to the picture after it, and what comes after the last picture is read", () => {
  const page = [leaf("control"), leaf("picture"), leaf("heading"), leaf("control"), leaf("picture"), leaf("control")];
  assert.deepEqual(named(page), [
    ["picture", 0, 1],
    ["picture", 2, 3, 4],
    ["reading", 5],
  ]);
});

test("pictures beside each other are one build, those below each other are not", () => {
  const [row, left, right] = [{}, {}, {}];
  const beside = [leaf("picture", "", row, left), leaf("picture", "", row, right)];
  assert.deepEqual(buildsOf(beside), [{ name: "picture", leaves: [0, 1], pictures: [0, 1] }]);
  const below = [leaf("picture", "", row, left), leaf("picture", "", row, left)];
  assert.equal(buildsOf(below).length, 2);
  assert.equal(buildsOf([leaf("picture"), leaf("picture")]).length, 2);
});

test("nothing on a page is lost, and nothing but what steers all pictures is shown twice", () => {
  const kinds = ["picture", "control", "heading", "caption", "text"];
  for (let seed = 0; seed < 3000; seed++) {
    const page = Array.from({ length: seed % 9 }, (_, at) => leaf(kinds[Math.floor(seed / 5 ** at) % 5]));
    const shown = buildsOf(page).flatMap(({ leaves }) => leaves);
    assert.deepEqual(shown.toSorted((a, b) => a - b), [...page.keys()], JSON.stringify(page));
  }
});

test("a page without anything has no build", () => assert.deepEqual(buildsOf([]), []));

test("what is to be read is divided into screens, none of them empty", () => {
  const text = (lines) => leaf("text", "", null, null, lines);
  const page = [text(10), text(10), text(4), text(40), text(3)];
  assert.deepEqual(named(page), [["reading", 0], ["reading", 1, 2], ["reading", 3], ["reading", 4]]);
});

test("beyond the last build is the next scene, before the first the previous one", () => {
  assert.equal(turned(0, 3, 1), 1);
  assert.equal(turned(2, 3, 1), "next");
  assert.equal(turned(2, 3, -1), 1);
  assert.equal(turned(0, 3, -1), "previous");
});
