// Numbers, pieces and texts as they are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cut, fill, percent, shown, signed, weightDigits, within } from "../../viz/components/shared/format.js";
import { csvText } from "../../viz/components/shared/save.js";

const ruler = { measureText: (text) => ({ width: Array.from(text).length }) };

test("a gap without a value stays as it is", () => {
  assert.equal(fill("{a} and {b}, {a}", { a: 0 }), "0 and {b}, 0");
});

test("invisible pieces are made visible, visible ones are left alone", () => {
  assert.deepEqual(["", " ", "     ", "\n", "a\u0000b", "العربية", "👩‍🔬"].map(shown), [
    "∅",
    "␣",
    "␣␣␣",
    "␣",
    "a␀b",
    "العربية",
    "👩‍🔬",
  ]);
});

test("a cut text fits and halves no sign", () => {
  assert.equal(cut(ruler, "four", 4), "four");
  assert.equal(cut(ruler, "🙂🙂🙂🙂", 3), "🙂🙂…");
  for (let limit = 1; limit < 30; limit += 1)
    assert.ok(ruler.measureText(cut(ruler, "abcdefg".repeat(9), limit)).width <= limit);
});

test("a probability is never rounded to certainty or to nothing without saying so", () => {
  assert.deepEqual([1, 0.9994, 0.5, 0.0005, 0.0004, 0].map(percent), [
    "100%",
    "99.9%",
    "50.0%",
    "0.1%",
    "<0.1%",
    "<0.1%",
  ]);
});

test("a number has a true minus sign, and 0 has none", () => {
  assert.deepEqual(
    [-1.25, -0.001, 0, 2].map((value) => signed(value, 1)),
    ["−1.3", "0.0", "0.0", "2.0"],
  );
  assert.deepEqual(
    [-1, 0, 1].map((value) => signed(value, 2, "+")),
    ["−1.00", "0.00", "+1.00"],
  );
});

test("a weight has as many digits as its level is sure of", () => {
  assert.deepEqual(
    [0, 1, 20, 64, 200].map((level) => weightDigits(level, 200)),
    ["0", "0.00003", "0.010", "0.10", "1.00"],
  );
});

test("within keeps a value between its ends", () => {
  assert.deepEqual(
    [-1, 2, 9].map((value) => within(value, 0, 4)),
    [0, 2, 4],
  );
});

test("a text in a table of numbers keeps its quotes, commas and lines", () => {
  assert.equal(
    csvText(["about"], "a,b", [
      [1, 'x,"y"'],
      ["\n", 0.5],
    ]),
    '# about\na,b\n1,"x,""y"""\n"\n",0.5\n',
  );
});
