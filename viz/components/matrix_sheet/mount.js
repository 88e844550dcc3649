// A mount of the matrix sheet. The script that draws (sheet.js) is long and a page has many mounts, so it comes once,
// with an element of its own; whoever is there before it waits.

const script = (globalThis.regardMatrixSheet ??= { waiting: [] });

export default function mount(component) {
  let gone = false;
  let leave = () => {};
  const begin = () => {
    if (!gone) leave = script.draw(component);
  };
  if (script.draw) begin();
  else script.waiting.push(begin);
  return () => {
    gone = true;
    leave();
  };
}
