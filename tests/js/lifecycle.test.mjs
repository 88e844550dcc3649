// What a component reports to Python is never lost, and never undoes a click on another page. The browser is played.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const app = { dataset: { testScriptState: "notRunning" } };
const listeners = {};
let scriptChanged;
let now = 10_000;
Object.assign(globalThis, {
  document: {
    querySelector: () => app,
    documentElement: {},
    addEventListener: (name, listener) => (listeners[name] ??= listener),
    removeEventListener() {},
  },
  addEventListener: (name, listener) => (listeners[name] = listener),
  MutationObserver: class {
    constructor(callback) {
      scriptChanged = callback;
    }
    observe() {}
  },
  ResizeObserver: class {
    observe() {}
    disconnect() {}
  },
  requestAnimationFrame: (callback) => callback(),
});
mock.method(performance, "now", () => now);
mock.timers.enable({ apis: ["setTimeout"] });
const { mount, reportDrawn } = await import("../../viz/components/shared/lifecycle.js");

function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

function script(state) {
  app.dataset.testScriptState = state;
  scriptChanged();
}

const clickLink = () => listeners.click({ target: { closest: () => ({}) } });

/** A mounted component; `told` is what Python has heard. */
function mounted() {
  const root = {
    dataset: {},
    classList: { toggle() {} },
    clientWidth: 9,
    isConnected: true,
    querySelector: () => ({}),
  };
  const parentElement = { querySelector: () => root };
  const told = [];
  const setStateValue = (name, value) => told.push([name, value]);
  const receive = (ui, stamp) => reportDrawn(Object.assign(ui, { stamp, theme: { scheme: "dark" } }));
  const send = (stamp) =>
    mount({ parentElement, data: stamp, setStateValue }, { root: "x", create() {}, receive, draw() {} });
  return { root, told, send };
}

beforeEach(() => {
  script("running");
  script("notRunning");
  pass(5000);
});

test("a painted message is reported by its stamp and scheme", () => {
  const { root, told, send } = mounted();
  send(7);
  pass(1);
  assert.deepEqual(told, [["drawn", [7, "dark"]]]);
  assert.deepEqual(root.dataset, { drawn: 1, seq: 1 });
});

test("it is reported again with every message and every mount, for Python may have forgotten it", () => {
  const { told, send } = mounted();
  const leave = send(7);
  pass(1);
  send(7);
  pass(1);
  leave();
  send(7);
  pass(1);
  assert.equal(told.length, 3);
});

test("drawing the same message anew reports nothing", () => {
  const { root, told, send } = mounted();
  send(7);
  pass(1);
  let ui;
  const parentElement = { querySelector: () => root };
  mount(
    { parentElement, data: 0, setStateValue: (...all) => told.push(all) },
    {
      root: "x",
      create: (created) => (ui = created),
      draw() {},
      receive: (each) => Object.assign(each, { stamp: 8 }),
    },
  );
  reportDrawn(ui);
  reportDrawn(ui);
  pass(1);
  assert.deepEqual(told.slice(1), [["drawn", [8, ""]]]);
});

test("nothing is reported while the script runs, and then it is", () => {
  const { told, send } = mounted();
  script("running");
  send(7);
  pass(9000);
  assert.equal(told.length, 0);
  script("notRunning");
  assert.equal(told.length, 1);
  script("running");
  script("notRunning");
  pass(9000);
  assert.equal(told.length, 1);
});

test("nothing is reported between a click on a link and the end of the run that follows from it", () => {
  const { root, told, send } = mounted();
  clickLink();
  send(7);
  pass(500);
  script("running");
  pass(500);
  root.isConnected = false; // the other page has come
  script("notRunning");
  pass(9000);
  assert.equal(told.length, 0);
});

test("a component that comes with the page of a click reports when the run has ended, be it before or after", () => {
  for (const early of [true, false]) {
    const { told, send } = mounted();
    clickLink();
    pass(10);
    script("running");
    if (early) send(7);
    pass(100);
    script("notRunning");
    if (!early) send(7);
    pass(1);
    assert.equal(told.length, 1, `mounted ${early ? "before" : "after"} the end`);
  }
});

test("a click that leads nowhere delays a report and does not lose it", () => {
  const { told, send } = mounted();
  clickLink();
  send(7);
  pass(1500);
  assert.equal(told.length, 0);
  pass(600);
  assert.equal(told.length, 1);
  pass(9000);
  assert.equal(told.length, 1);
});

test("a message that cannot be taken says so", async () => {
  const message = {};
  const root = { ...mounted().root, querySelector: () => message };
  const behaviour = { root: "x", create() {}, draw() {}, receive: () => assert.fail("broken") };
  mount({ parentElement: { querySelector: () => root }, data: 0, setStateValue() {} }, behaviour);
  await Promise.resolve();
  await Promise.resolve();
  assert.match(message.textContent, /broken/);
  assert.equal(message.hidden, false);
});
