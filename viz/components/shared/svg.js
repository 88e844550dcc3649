// @ts-check
// A canvas context that writes SVG: as much of one as our pictures use, so that what is drawn on the screen can be
// drawn into a file by the same code, as lines, rectangles and text. Text stands with its middle at y.

/** @param {number} number */
const short = (number) => String(Number(number.toFixed(2)));
export const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu; // no XML may hold these

/** @param {unknown} text */
const escaped = (text) =>
  String(text)
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * `ruler` is a canvas context to measure text with. Only the transformation is saved and restored.
 * @param {CanvasRenderingContext2D} ruler
 * @returns {any}
 */
export function svgContext(ruler) {
  const parts = [];
  const saved = [];
  let matrix = new DOMMatrix();
  let path = "";
  let dash = [];
  const at = (x, y) => matrix.transformPoint({ x, y });
  const point = (x, y) => `${short(at(x, y).x)} ${short(at(x, y).y)}`;
  const see = (share) => (share < 1 ? ` opacity="${share.toFixed(3)}"` : "");
  const context = {
    globalAlpha: 1,
    measureText(text) {
      ruler.font = context.font;
      return ruler.measureText(text);
    },
    save: () => saved.push(matrix),
    restore: () => (matrix = saved.pop()),
    scale: (factor) => (matrix = matrix.scale(factor)),
    translate: (x, y) => (matrix = matrix.translate(x, y)),
    rotate: (angle) => (matrix = matrix.rotate((angle * 180) / Math.PI)),
    setLineDash: (lengths) => (dash = lengths),
    beginPath: () => (path = ""),
    moveTo: (x, y) => (path += `M${point(x, y)}`),
    lineTo: (x, y) => (path += `L${point(x, y)}`),
    rect: (x, y, width, height) => (path += `M${point(x, y)}h${short(width)}v${short(height)}h${short(-width)}z`),
    stroke() {
      const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
      const pen = `stroke="${escaped(context.strokeStyle)}" stroke-width="${context.lineWidth}"`;
      parts.push(`<path d="${path}" fill="none" ${pen}${dashes}${see(context.globalAlpha)}/>`);
    },
    bezierCurveTo: (...all) => (path += `C${[0, 2, 4].map((at) => point(all[at], all[at + 1])).join(" ")}`),
    fill() {
      const look = `fill="${escaped(context.fillStyle)}"${see(context.globalAlpha)} shape-rendering="crispEdges"`;
      parts.push(`<path d="${path}" ${look}/>`);
    },
    clip() {}, // nothing reaches beyond what is clipped away on the screen
    insert: (markup) => parts.push(markup),
    fillRect(...box) {
      context.beginPath();
      context.rect(...box);
      context.fill();
    },
    strokeRect(...box) {
      context.beginPath();
      context.rect(...box);
      context.stroke();
    },
    fillText(text, x, y) {
      const [, weight, digits] = /(bold )?([\d.]+)px/.exec(context.font);
      const size = Number(digits);
      const down = y + 0.35 * size; // from the middle of a line of text to its foot, as good as every font
      const { a, b, c, d, e, f } = matrix;
      const flat = b === 0;
      const turn = flat ? "" : ` transform="matrix(${[a, b, c, d, e, f].map(short)})"`;
      const place = flat ? at(x, down) : { x, y: down };
      const anchor = { left: "start", center: "middle", right: "end" }[context.textAlign];
      const font = `font-size="${size}" text-anchor="${anchor}"${weight ? ' font-weight="bold"' : ""}`;
      const look = `fill="${escaped(context.fillStyle)}"${see(context.globalAlpha)}`;
      parts.push(`<text x="${short(place.x)}" y="${short(place.y)}"${turn} ${font} ${look}>${escaped(text)}</text>`);
    },
    /** The finished file. */
    document: ({ width, height, background, font, title, hatch }) =>
      [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
        ` font-family="${escaped(font)}"><title>${escaped(title)}</title>`,
        `<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">`,
        `<path d="M0 0h6v6h-6z" fill="${hatch.ground}"/>`,
        `<path d="M0 6L6 0M-1 1L1 -1M5 7L7 5" stroke="${hatch.line}" stroke-width="1.2"/></pattern></defs>`,
        `<path d="M0 0h${width}v${height}h${-width}z" fill="${escaped(background)}"/>`,
        ...parts,
        "</svg>\n",
      ].join("\n"),
  };
  return context;
}
