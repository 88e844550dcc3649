// @ts-check
// Sizes that pictures have in common, in CSS pixels.

export const WIDE = 820; // from this width on, things stand side by side
export const LARGEST = { cell: 56, height: 640 }; // of a matrix with labels

/**
 * Type grows with the page's: a presentation, or a reader who set larger letters.
 * @param {number} size
 */
export const typed = (size) => (size * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;

export const LABEL = {
  // font sizes and width of the pieces around it
  get min() {
    return typed(10);
  },
  get max() {
    return typed(14);
  },
  get longest() {
    return typed(120);
  },
};
