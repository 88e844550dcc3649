// @ts-check
// What turning scenes needs of the browser. `data.scene` is the open scene, `data.keys` the class names of the buttons
// that a key presses.

/** @type {string | undefined} */
let open; // of the tab; the element is made anew with every page

/** @param {{ data: { scene: string, keys: Record<string, string> } }} component */
export default function shortcutKeys({ data }) {
  const main = /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stMain]"));
  if (open !== undefined && open !== data.scene) {
    main?.scrollTo(0, 0); // a new scene begins at its top
    if (main && document.activeElement === document.body) {
      main.tabIndex = -1; // and the keys that scroll do so without a click
      main.style.outline = "none";
      main.focus({ preventScroll: true });
    }
  }
  open = data.scene;
  // A slider that was moved keeps the focus, and Streamlit leaves its keys to it.
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    /** @type {HTMLElement | null} */
    const button = document.querySelector(`.st-key-${data.keys[event.key]} button:not(:disabled)`);
    const slider = /** @type {Element} */ (event.target).matches?.("input[type=range], [role=slider]");
    if (!button || !slider || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  };
  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}
