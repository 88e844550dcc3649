// @ts-check
// What was chosen in a player. Streamlit may mount the component anew when it moves on the page: that must survive it.

/** @import { Ui } from "./types.js" */

// Streamlit may mount the component anew when it moves on the page; what was chosen in it must survive that.
export const remembered = (globalThis.regardPlayer ??= new Map());

/**
 * What has been chosen here, for the next message and for the next mount.
 * @param {Ui} ui
 * @param {Record<string, unknown>} changes
 */
export function remember(ui, changes) {
  remembered.set(ui.id, { ...remembered.get(ui.id), ...changes });
}
