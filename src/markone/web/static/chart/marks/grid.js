// A matrix as cells: patterns of a memory, a relevance matrix, a digit.

import { s } from "../../dom.js";

/** paper: empty cells are visible, to draw on. rows: numbers in -1..1 (or 0..1 with kind "share"); box: [[x0, x1], [y0, y1]], first row on top. */
export function grid({ rows, box, kind = "sign", class: name = "", gap = 0, paper = false }, x, y) {
  const [[x0, x1], [y0, y1]] = box, n = rows.length, m = rows[0]?.length ?? 0;
  const width = Math.abs(x(x1) - x(x0)) / m, height = Math.abs(y(y1) - y(y0)) / n, left = Math.min(x(x0), x(x1)), top = Math.min(y(y0), y(y1));
  const cells = [];
  rows.forEach((row, i) => row.forEach((value, j) => {
    if (value === null) return;
    const strength = kind === "sign" ? Math.abs(value) : value;
    if (strength < 0.004 && !paper) return;
    const empty = strength < 0.004;
    cells.push(s("rect", { x: (left + j * width + gap / 2).toFixed(2), y: (top + i * height + gap / 2).toFixed(2), width: (width - gap).toFixed(2), height: (height - gap).toFixed(2), class: empty ? "empty" : kind === "sign" && value < 0 ? "minus" : "plus", "fill-opacity": empty ? 1 : Math.min(1, strength).toFixed(3) }));
  }));
  return s("g", { class: `cells ${name}`, "shape-rendering": "crispEdges" }, s("rect", { class: "ground", x: left, y: top, width: width * m, height: height * n }), cells);
}

/** A small picture of a matrix of shares, without axes. */
export function gridPicture(rows) {
  const marks = grid({ rows, box: [[0, 1], [0, 1]], kind: "share", class: "neurons" }, (v) => v * 40, (v) => 40 - v * 40);
  return s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, marks);
}
