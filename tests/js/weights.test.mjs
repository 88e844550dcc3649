// Weights as levels: unpacked from the bytes that were sent, averaged, and found under a pixel.

import assert from "node:assert/strict";
import { test } from "node:test";

import { rowOf, unpack } from "../../viz/components/alignment_pair/unpack.js";
import {
  average,
  headOf,
  largestCell,
  locate,
  step,
  unpackPanels,
} from "../../viz/components/attention_grid/panels.js";
import { exact, HIDDEN, LEVELS, scaleEnds, stepOf, unpackMatrices } from "../../viz/components/matrix_sheet/levels.js";
import { AVERAGE, levelsOf, shownView, unpackViews } from "../../viz/components/player/views.js";
import { band, cellsUnder, isMasked } from "../../viz/components/shared/matrix.js";

const labels = (count) => Array.from({ length: count }, (_, at) => `p${at}`);
const grid = (kind, layers, heads, rows, columns, reach = null) => ({
  kind,
  layers,
  heads,
  queries: labels(rows),
  keys: labels(columns),
  reach,
});

test("what the mask forbids is 0, and every other level stands where it belongs", () => {
  const [panel] = unpackPanels([grid("decoder", 1, 2, 2, 2, [1, 2])], Uint8Array.of(9, 8, 7, 6, 5, 4));
  assert.deepEqual([...panel.levels], [9, 0, 8, 7, 6, 0, 5, 4]);
  assert.deepEqual([...headOf(panel, 0, 1)], [6, 0, 5, 4]);
  assert.deepEqual(
    [
      [0, 1],
      [1, 1],
    ].map(([row, column]) => isMasked(panel, row, column)),
    [true, false],
  );
});

test("panels follow each other, and one without heads is left out", () => {
  const found = unpackPanels(
    [grid("a", 1, 1, 1, 2), grid("none", 0, 8, 1, 2), grid("b", 1, 1, 1, 1)],
    Uint8Array.of(1, 2, 3),
  );
  assert.deepEqual(
    found.map(({ kind, levels }) => [kind, ...levels]),
    [
      ["a", 1, 2],
      ["b", 3],
    ],
  );
});

test("an average is one of weights, not of their roots", () => {
  const heads = [{ levels: Uint8Array.of(200, 0) }, { levels: Uint8Array.of(0, 0) }];
  assert.deepEqual([...average(heads)], [141, 0]); // (141 / 200)² is 0.5
  assert.equal(average(heads.slice(1)), heads[1].levels);
});

test("of the cells under a pixel the largest is read off, never one that is masked", () => {
  const panel = grid("decoder", 1, 1, 2, 3, [1, 2]);
  const levels = Uint8Array.of(1, 9, 9, 2, 3, 9);
  assert.deepEqual(
    largestCell(panel, levels, [
      [0, 2],
      [0, 3],
    ]),
    { query: 1, key: 1, level: 3 },
  );
});

test("pixels of a reduced picture cover every cell, those of an enlarged one a single cell", () => {
  for (const [pixels, cells] of [
    [3, 10],
    [7, 7],
    [10, 3],
    [1, 128],
  ]) {
    const all = Array.from({ length: pixels }, (_, at) => cellsUnder(at, pixels, cells));
    const seen = new Set(all.flatMap(([first, end]) => Array.from({ length: end - first }, (_, each) => first + each)));
    assert.equal(seen.size, cells);
    assert.equal(Math.max(...seen), cells - 1);
    if (pixels >= cells) assert.ok(all.every(([first, end]) => end === first + 1));
  }
});

test("a cell can be seen between the two lines around it, however small it is", () => {
  for (const size of [0.5, 2, 40]) {
    const [start, length] = band(10, size);
    assert.ok(start < 10 && start + length > 10 + size && length >= 5);
  }
});

test("arrow keys go to the neighbour, over an edge to the near side of the next panel, not beyond", () => {
  const panels = [grid("encoder", 2, 4, 1, 1), grid("cross", 3, 2, 1, 1)];
  const from = (kind, layer, head) => ({ panels, cursor: locate({ panels }, [kind, layer, head]) });
  const to = ({ panel, layer, head }) => [panel.kind, layer, head];
  assert.deepEqual(to(step(from("encoder", 0, 0), 0, 1)), ["encoder", 0, 1]);
  assert.deepEqual(to(step(from("encoder", 1, 3), 1, 0)), ["cross", 0, 1]);
  assert.deepEqual(to(step(from("cross", 2, 0), 0, -1)), ["encoder", 1, 3]);
  assert.deepEqual(to(step(from("cross", 2, 1), 1, 0)), ["cross", 2, 1]);
  assert.equal(locate({ panels }, ["cross", 3, 0]), null);
});

test("the numbers of a sheet come with their levels: ends of the scale, 0 in the middle, −∞ apart", () => {
  const axes = [{ count: 1 }, { count: 4 }];
  const each = { rows: 0, columns: 1, limit: 2 };
  const values = Float32Array.from([-2, 0, 2, -Infinity, 0, 0.5, 2, -Infinity]);
  const [both, above] = unpackMatrices(
    {
      axes,
      matrices: [
        { ...each, signed: true },
        { ...each, signed: false },
      ],
    },
    values.buffer,
  );
  assert.deepEqual([...both.levels], [0, LEVELS / 2, LEVELS, HIDDEN]);
  assert.deepEqual([...above.levels], [0, LEVELS / 2, LEVELS, HIDDEN]); // the root of a quarter is a half
  assert.deepEqual([...above.values], [0, 0.5, 2, -Infinity]);
});

test("numbers are written with all digits that are sure, and scales with three", () => {
  assert.equal(exact(Math.fround(-0.1)), "−0.1");
  assert.deepEqual(scaleEnds({ limit: 1.23456, signed: true }), ["−1.23", "1.23"]);
  assert.deepEqual(scaleEnds({ limit: 4, signed: false }), ["0", "4"]);
  assert.deepEqual(
    [40, 12, 5, 1].map((pitch) => stepOf(30, pitch)),
    [1, 4, 8, 32],
  );
});

test("a step of the player sees the pieces read so far, and all of the source", () => {
  const ui = {
    layers: 1,
    heads: 2,
    predicted: ["x", "y"],
    read: ["<s>", "x"],
    source: ["a", "b", "c"],
    layer: 0,
    head: 1,
    step: 1,
  };
  ui.views = unpackViews(
    ui,
    Uint8Array.from({ length: 6 + 12 }, (_, at) => at + 1),
  );
  ui.shownLevels = ui.views.map((view) => levelsOf(ui, view));
  assert.deepEqual([...ui.shownLevels[0]], [4, 0, 5, 6]);
  assert.deepEqual([...ui.shownLevels[1]], [13, 14, 15, 16, 17, 18]);
  assert.deepEqual([...shownView(ui, 0).seen], [4, 0, 5, 6]);
  assert.deepEqual(shownView({ ...ui, step: 0 }, 0).panel, { queries: ["x"], keys: ["<s>"], reach: [1] });
  assert.deepEqual(shownView({ ...ui, step: 0 }, 1).panel, { queries: ["x"], keys: ["a", "b", "c"], reach: null });
  const mean = levelsOf({ ...ui, head: AVERAGE }, ui.views[0]);
  assert.equal(mean[0], Math.round(Math.sqrt((1 + 16) / 2)));
});

const header = {
  keys: ["a", "b"],
  maps: [
    { title: "one", queries: ["x"] },
    { title: "two", queries: ["x"] },
  ],
  difference: true,
  texts: { difference: "difference", difference_note: "{right} minus {left}" },
  play: null,
};

test("a difference is right minus left: nothing in the middle of the ramp, all at its ends", () => {
  const { maps } = unpack(header, Float32Array.from([1, 0.5, 0, 0.5]).buffer);
  assert.deepEqual(
    maps.map(({ levels }) => [...levels]),
    [
      [254, 180],
      [0, 180],
      [0, 127],
    ],
  );
  assert.deepEqual([...maps[2].weights], [-1, 0]);
  assert.equal(maps[2].note, "two minus one");
});

test("the numbers of the steps follow those of the maps, the states last and as signed bytes", () => {
  const play = { predicted: ["x"], source: ["a", "b"], width: 3, attention: true, options: [[[1, 2]], null] };
  const floats = Float32Array.from([1, 0.5, 0, 0.5, -3, 2, 0.25, 0.75, 7, 8, 9]);
  const bytes = new Uint8Array([...new Uint8Array(floats.buffer), 255, 0, 1, 2, 3, 4]);
  const found = unpack({ ...header, play }, bytes.buffer).play;
  assert.deepEqual(
    [[...found.scores], [...found.weights], [...found.contexts]],
    [
      [-3, 2],
      [0.25, 0.75],
      [7, 8, 9],
    ],
  );
  assert.deepEqual([...found.states], [-1, 0, 1, 2, 3, 4]);
  assert.deepEqual([found.largestScore, found.mostOptions], [3, 2]);
});

test("a row shows the step of its first piece and those that go on with its word", () => {
  const ui = (at) => ({ step: at, play: { predicted: ["a", "·b", "c", "</s>"] } });
  const rows = { steps: [0, 2] };
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => rowOf(ui(at), rows)),
    [0, 0, 1, -1],
  );
  assert.deepEqual(
    [3].map((at) => rowOf(ui(at), { steps: [0, 2, 3] })),
    [2],
  );
});
