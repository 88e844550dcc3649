// @ts-check
// What is saved of the alignment pair: its maps with titles, axes and legend, or their numbers.

import { fill } from "../shared/format.js";
import { weightTicks } from "../shared/legend.js";
import { matrixLayout } from "../shared/matrix.js";
import { drawMatrixFile, FILE, filePaper } from "../shared/paper.js";
import { csvText } from "../shared/save.js";
import { LABEL } from "../shared/sizes.js";
import { BETWEEN, DIFFERENCES, drawAgreement, drawGold, MARKS, MOST, NARROWEST } from "./maps.js";
import { allRows, LEVELS } from "./unpack.js";

/** @import { Ui } from "./types.js" */

/** @param {Ui} ui */
export const pairFiles = (ui) => ({ name: () => "regard-alignments", svg: () => mapsSvg(ui), csv: () => mapsCsv(ui) });

/**
 * All maps side by side. They are laid out anew, so that the window does not matter to the file.
 * @param {Ui} ui
 */
function mapsSvg(ui) {
  const theme = { ...ui.theme, font: FILE.font };
  const paper = filePaper(theme);
  const { context } = paper;
  const marks = ui.agree ? MARKS : 0;
  const room = Math.max(FILE.room / 2, FILE.cell * ui.keys.length + 2 * LABEL.longest);
  const most = { ...MOST, height: Math.max(MOST.height, FILE.cell * ui.keys.length) };
  const layout = matrixLayout({ context, font: FILE.font }, allRows(ui), room, 1, most);
  layout.left += marks;
  layout.gap = 6 + marks;
  const breadth = Math.max(layout.left + layout.widthPx + layout.right, NARROWEST);
  const places = ui.maps.map((map, at) => ({ map, at, x: at * (breadth + BETWEEN) }));
  const width = places.at(-1).x + breadth;
  const title = ui.maps.map((map) => map.title).join(" · ");
  const { texts } = ui;
  const rows = fill(texts.rows, { query_word: ui.queryWord });
  paper.paragraph(`↓ ${rows}\u2003→ ${fill(texts.columns, { key_word: ui.keyWord })}`, width);
  paper.y += 8;
  const start = paper.y;
  const feet = places.map(({ map, x }) => {
    paper.y = start;
    paper.paragraph(map.title, breadth, 16, x);
    paper.paragraph(map.note, breadth, 12, x);
    return paper.y;
  });
  paper.y = Math.max(...feet) + layout.top;
  for (const { map, at, x } of places) {
    const look = at === 2 ? { ...theme, ramp: theme.diverging, ground: LEVELS / 2 } : theme;
    const plate = drawMatrixFile(look, context, map, map.levels, layout, x + layout.left, paper.y);
    drawGold({ ...ui, theme }, plate, map.gold, layout, 1);
    if (ui.agree) drawAgreement({ ...ui, theme }, plate, layout, 1);
  }
  paper.y += layout.cellPx * Math.max(...ui.maps.map((map) => map.queries.length)) + 20;
  paper.scale(theme.ramp, weightTicks());
  paper.paragraph(texts.legend, width);
  if (ui.difference) {
    paper.y += 6;
    paper.scale(theme.diverging, DIFFERENCES);
    paper.paragraph(fill(texts.legend_difference, { left: ui.maps[0].title, right: ui.maps[1].title }), width);
  }
  for (const [sure, words] of [
    [true, texts.gold_sure],
    [false, texts.gold_possible],
  ]) {
    if (!ui.maps.some((map) => map.gold.some(([, , each]) => each === sure))) continue;
    drawGold({ ...ui, theme }, { context, left: 0, top: paper.y - 2 }, [[0, 0, sure]], { cellPx: 14, pitch: 14 }, 1);
    paper.paragraph(words, width - 22, 12, 22);
  }
  if (ui.agree) paper.paragraph(texts.agree, width);
  return paper.document(title, width);
}

/**
 * The exact weights; of the difference, second minus first.
 * @param {Ui} ui
 */
function mapsCsv(ui) {
  const rows = ui.maps.flatMap(({ title, queries, weights }) =>
    queries.flatMap((query, row) =>
      ui.keys.map((key, column) => {
        const weight = Number(weights[row * ui.keys.length + column].toPrecision(7));
        return [title, row + 1, query, column + 1, key, weight];
      }),
    ),
  );
  const notes = ui.maps.map(({ title, note }) => `${title}: ${note}`);
  const comments = [`query = ${ui.queryWord}, key = ${ui.keyWord}`, ...notes];
  return csvText(comments, "map,query_position,query,key_position,key,weight", rows);
}
