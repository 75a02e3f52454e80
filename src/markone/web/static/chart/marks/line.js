// A curve through points, interrupted at missing values.

import { s } from "../../dom.js";

// Points a pixel from which on a curve is drawn as the band between its extremes and the mean inside.
const DENSE = 2, BIN = 3;

const pathThrough = (points, x, y) => `M${points.map(([a, b]) => `${x(a).toFixed(2)},${y(b).toFixed(2)}`).join("L")}`;

/** Mean, smallest and largest value of groups of points. */
function groupPoints(data, size) {
  const groups = Array.from({ length: Math.ceil(data.length / size) }, (_, k) => data.slice(k * size, (k + 1) * size));
  return groups.map((group) => {
    const values = group.map((point) => point[1]), last = group[group.length - 1];
    return { x: last[0], low: Math.min(...values), high: Math.max(...values), mean: values.reduce((a, b) => a + b, 0) / values.length };
  });
}

function envelope(data, name, x, y) {
  const width = Math.abs(x.range[1] - x.range[0]), groups = groupPoints(data, Math.ceil((BIN * data.length) / width));
  const band = [...groups.map((g) => [g.x, g.high]), ...groups.reverse().map((g) => [g.x, g.low])];
  const mean = [data[0], ...groups.reverse().map((g) => [g.x, g.mean]), data[data.length - 1]];
  return s("g", { class: name }, s("path", { class: "envelope", d: `${pathThrough(band, x, y)}Z` }), s("path", { class: `line ${name}`, d: pathThrough(mean, x, y) }));
}

/** data: [[x, y], ...] */
export function line({ data, class: name = "", curve = true }, x, y) {
  const known = ([a, b]) => a !== null && b !== null && Number.isFinite(a) && Number.isFinite(b);
  if (curve && x.range && data.length > DENSE * Math.abs(x.range[1] - x.range[0]) && data.every(known)) return envelope(data, name, x, y);
  let path = "", down = false;
  for (const point of data) {
    if (!known(point)) { down = false; continue; }
    path += `${down ? "L" : "M"}${x(point[0]).toFixed(2)},${y(point[1]).toFixed(2)}`;
    down = true;
  }
  return s("path", { class: `line ${name}`, d: path });
}
