// @ts-check
// Steps of something, one after the other: by two buttons, by a slider, or by themselves.

import { fill } from "./format.js";

/**
 * @typedef {object} Steps
 * @property {any} ui - has `find`, `step`, `texts` and the `timer` that ends with it
 * @property {() => number} count - 0 as long as there is nothing to step through
 * @property {() => number} pace - ms a step
 * @property {(step: number, chosen: boolean) => void} show - `chosen` by a person, or it plays
 */

/**
 * Answers the controls of a component: `.previous`, `.toggle` and `.next` are buttons, the input is a slider.
 * @param {Steps} steps
 */
export function createStepper({ ui, count, pace, show }) {
  const find = (/** @type {string} */ selector) => ui.find(`.controls ${selector}`);
  let playing = false;

  function drawToggle() {
    find(".toggle").textContent = playing ? ui.texts.pause : ui.texts.play;
  }

  function pause() {
    clearTimeout(ui.timer);
    playing = false;
    if (count()) drawToggle();
  }

  function advance() {
    show(ui.step + 1, false);
    if (ui.step === count() - 1) pause();
    else ui.timer = setTimeout(advance, pace());
  }

  /** From the end it starts anew, at once. */
  function play() {
    playing = true;
    if (ui.step === count() - 1) ui.step = -1;
    advance();
  }

  const stepper = {
    pause,
    toggle: () => (playing ? pause() : play()),
    isPlaying: () => playing,

    /** @param {number} step - nothing happens beyond the ends */
    choose(step) {
      pause();
      if (step >= 0 && step < count()) show(step, true);
    },

    /** Where it stands, in words. */
    text: () => fill(ui.texts.step, { step: ui.step + 1, steps: count() }),

    /** @param {string} happens - what happens at this step, for screen readers */
    draw(happens) {
      const { texts, step } = ui;
      drawToggle();
      find(".previous").textContent = texts.previous;
      find(".next").textContent = texts.next;
      find(".previous").ariaDisabled = String(step <= 0); // not `disabled`, which would take the focus away
      find(".next").ariaDisabled = String(step >= count() - 1);
      const slider = find("input");
      Object.assign(slider, { max: count() - 1, value: step, ariaLabel: texts.slider });
      slider.ariaValueText = `${stepper.text()}. ${happens}`;
      find("output").textContent = stepper.text();
    },
  };
  find(".previous").onclick = () => stepper.choose(ui.step - 1);
  find(".next").onclick = () => stepper.choose(ui.step + 1);
  find(".toggle").onclick = stepper.toggle;
  find("input").oninput = (/** @type {any} */ { target }) => stepper.choose(Number(target.value));
  return stepper;
}
