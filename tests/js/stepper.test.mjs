// Stepping: by hand, beyond the ends, and by itself until the last step.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { createStepper } from "../../viz/components/shared/stepper.js";

function begin(count) {
  const nodes = {};
  const texts = { play: "Play", pause: "Pause", previous: "<", next: ">", slider: "step", step: "{step} of {steps}" };
  const ui = { step: 0, texts, find: (selector) => (nodes[selector.split(" ").at(-1)] ??= {}) };
  const seen = [];
  const show = (step, chosen) => {
    ui.step = step;
    seen.push([step, chosen]);
    stepper.draw("happens");
  };
  const stepper = createStepper({ ui, count: () => count, pace: () => 100, show });
  return { ui, nodes, seen, stepper };
}

test("buttons and slider choose a step, and nothing happens beyond the ends", () => {
  const { nodes, seen } = begin(3);
  nodes[".previous"].onclick();
  nodes[".next"].onclick();
  nodes.input.oninput({ target: { value: "2" } });
  nodes[".next"].onclick();
  assert.deepEqual(seen, [
    [1, true],
    [2, true],
  ]);
  assert.deepEqual([nodes[".previous"].ariaDisabled, nodes[".next"].ariaDisabled], ["false", "true"]);
  assert.equal(nodes.output.textContent, "3 of 3");
  assert.equal(nodes.input.ariaValueText, "3 of 3. happens");
  assert.equal(nodes.input.max, 2);
});

test("it plays to the last step and stops, and from the last it starts anew", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { ui, nodes, seen, stepper } = begin(3);
  stepper.toggle();
  assert.equal(nodes[".toggle"].textContent, "Pause");
  mock.timers.tick(100);
  assert.deepEqual(seen, [
    [1, false],
    [2, false],
  ]);
  assert.equal(nodes[".toggle"].textContent, "Play");
  mock.timers.tick(1000);
  assert.equal(ui.step, 2);
  stepper.toggle();
  assert.equal(ui.step, 0);
  stepper.choose(1);
  mock.timers.tick(1000);
  assert.equal(ui.step, 1); // choosing has stopped it
  mock.timers.reset();
});

test("pausing before there is anything to step through does nothing", () => {
  const { nodes, stepper } = begin(0);
  stepper.pause();
  assert.equal(nodes[".toggle"].textContent, undefined);
});
