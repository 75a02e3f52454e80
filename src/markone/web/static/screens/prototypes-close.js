// Details below the prototypes: one row and its counterfactual, the matrix Λ, prototypes as images.

import { Figure } from "../chart/figure.js";
import { gridPicture } from "../chart/marks/grid.js";
import { h, formatNumber } from "../dom.js";

const LEAST = "In standard deviations of each feature; no smaller change gives another answer.";
const MOST = "In standard deviations of each feature; a smaller change may exist.";

/** The counterfactual of row i as lines of a tip. */
export function counterfactualLines(counter, i, head) {
  if (!counter.found[i]) return ["no other answer was found near it"];
  const changes = counter.order[i].slice(0, 2).map((k, j) => `${head.features[k]}: ${formatNumber(counter.is[i][j])} → ${formatNumber(counter.would_be[i][j])}`);
  return [`${head.classes[counter.other[i]]} would be ${formatNumber(counter.away[i], 3)} away:`, ...changes];
}

export class DetailPanel {
  constructor(stage) {
    this.row = h("div", { class: "chart close", "aria-live": "polite" });
    this.node = h("div", { class: "pairwise below", hidden: true }, this.row);
    this.images = h("div", { class: "chart below", hidden: true });
    stage.append(this.node, this.images);
    this.matrix = new Figure(this.node, { title: "Relevance matrix Λ", ratio: 1, bare: true });
    this.matrix.node.classList.add("matrix");
  }

  destroy() { this.matrix.destroy(); }

  draw(over, head, kept) {
    this.node.hidden = !over;
    if (!over) { this.images.hidden = true; return; }
    this.row.replaceChildren(...(kept === null ? hintNodes() : counterfactualTable(over.counter, kept, head)));
    if (this.of === over) return;
    this.of = over;
    this.matrix.node.hidden = !over.lambda;
    if (over.lambda) this.drawMatrix(over.lambda, head.features);
    this.images.hidden = !over.images;
    if (over.images) this.images.replaceChildren(h("div", { class: "caption", text: "Prototypes as images" }), h("div", { class: "strip" }, over.images.map((rows, k) => prototypeImage(rows, head.classes[over.own[k]]))));
  }

  drawMatrix(rows, names) {
    const n = rows.length, most = Math.max(...rows.flat().map(Math.abs)) || 1;
    const tips = rows.flatMap((row, i) => row.map((value, j) => ({ x: (j + 0.5) / n, y: 1 - (i + 0.5) / n, lines: [i === j ? names[i] : `${names[i]} with ${names[j]}`, `Λ = ${formatNumber(value, 3)}`] })));
    this.matrix.draw({
      marks: [{ type: "grid", rows: rows.map((row) => row.map((value) => value / most)), box: [[0, 1], [0, 1]], kind: "sign", class: "neurons", tips }],
      legend: [{ words: "positive", shape: "square", class: "plus", group: "examples" }, { words: "negative", shape: "square", class: "minus", group: "examples" }],
      table: () => ({ columns: ["feature", ...names], rows: rows.map((row, k) => [names[k], ...row]) }),
    });
  }
}

function hintNodes() {
  return [h("div", { class: "caption", text: "What would change the answer?" }), h("p", { class: "help", text: "Hover over a row: an arrow points to the nearest input with another answer. A click, or Enter, keeps it here." })];
}

function counterfactualTable(counter, i, head) {
  const cells = counter.order[i].map((k, j) => h("tr", {}, h("td", { text: head.features[k] }), h("td", { text: formatNumber(counter.is[i][j]) }), h("td", { text: formatNumber(counter.would_be[i][j]) })));
  return [
    h("div", { class: "caption", text: `Row ${i + 1}: ${head.classes[counter.answer[i]]}, and ${head.classes[counter.other[i]]} ${formatNumber(counter.away[i], 3)} away` }),
    h("p", { class: "help", text: counter.exact ? LEAST : MOST }),
    h("table", {}, h("thead", {}, h("tr", {}, ["feature", "is", "would be"].map((text) => h("th", { scope: "col", text })))), h("tbody", {}, cells)),
  ];
}

function prototypeImage(rows, name) {
  const picture = gridPicture(rows.map((row) => row.map((v) => Math.max(0, Math.min(1, v)))));
  return h("figure", { class: "named" }, h("div", { class: "thumb", role: "img", "aria-label": `Prototype of ${name}` }, picture), h("figcaption", { text: name }));
}
