// Everything a person or a model wrote goes in by textContent, so nothing in it can become markup.

const percent = (p) => (p >= 0.9995 ? "100%" : p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`);
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function bar(p) {
  const outer = element("span", "bar");
  const inner = element("i", "");
  inner.style.width = `${100 * p}%`;
  outer.append(inner);
  return outer;
}

export default function tokenStrip({ parentElement, data }) {
  const find = (selector) => parentElement.querySelector(selector);
  const { texts, text, source, steps, rows, brief } = data;
  find(".strip").classList.toggle("brief", brief);
  find(".translation").textContent = text || texts.nothing;
  find(".source-name").textContent = texts.source;
  find(".target-name").textContent = texts.target;
  find(".source").replaceChildren(...source.map((label) => element("span", "chip", label)));
  // The rows of the longest list are reserved, so that looking from step to step moves nothing.
  find(".options").style.minHeight = `${1.45 * rows}rem`;

  const chips = steps.map((step, t) => {
    const chip = element(brief ? "span" : "button", "chip", step.label);
    if (!brief) chip.type = "button";
    chip.append(element("small", "", percent(step.p)), bar(step.p));
    if (!brief) chip.onmouseenter = chip.onfocus = chip.onclick = () => show(t);
    return chip;
  });
  find(".target").replaceChildren(...chips);

  const least = steps.reduce((best, step, t) => (step.p < steps[best].p ? t : best), 0);

  function show(t) {
    chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(i === t)));
    find(".step").textContent = fill(texts.step, { step: t + 1, steps: steps.length, least: t === least ? texts.least : "" });
    find(".options").replaceChildren(
      ...steps[t].options.map(({ label, p, taken }) => {
        const row = element("li", taken ? "taken" : "");
        row.append(element("span", "label", label), bar(p), element("span", "number", percent(p)));
        return row;
      }),
    );
  }
  // Start where the model was least sure: the step with something to see.
  if (!brief) show(least);
}
