// @ts-check
// What was chosen in a player. Streamlit may mount the component anew when it moves on the page: that must survive it.
// And what Python hears of it.

import { whenIdle } from "../shared/lifecycle.js";

const STILL = 400; // ms for which nothing has been chosen before Python hears what was

/** @import { Ui } from "./types.js" */

export const remembered = (globalThis.regardPlayer ??= new Map());

/**
 * What has been chosen here, for the next message and for the next mount.
 * @param {Ui} ui
 * @param {Record<string, unknown>} changes
 */
export function remember(ui, changes) {
  remembered.set(ui.id, { ...remembered.get(ui.id), ...changes });
}

/** Tells Python what the person looks at, as soon as that stays and nothing plays. */
export function tellLook(ui) {
  clearTimeout(ui.tellTimer);
  ui.tellTimer = setTimeout(() => {
    if (ui.stepper.isPlaying()) return tellLook(ui);
    const { told, speed = 1 } = remembered.get(ui.id);
    const look = [ui.stamp, ui.step, ui.layer, ui.head, speed];
    if (String(look) === told) return;
    whenIdle(ui, () => {
      remember(ui, { told: String(look) });
      ui.setStateValue("look", look);
    });
  }, STILL);
}
