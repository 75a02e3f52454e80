// The region where a function on a grid is positive: marching squares, joined to closed rings.

import { s } from "../../dom.js";

// Corners: 8 upper left, 4 upper right, 2 lower right, 1 lower left. Edges: 0 top, 1 right, 2 bottom, 3 left.
const CASES = [[], [[3, 2]], [[2, 1]], [[3, 1]], [[1, 0]], [[3, 0], [1, 2]], [[2, 0]], [[3, 0]], [[0, 3]], [[0, 2]], [[0, 1], [2, 3]], [[0, 1]], [[1, 3]], [[1, 2]], [[2, 3]], []];

/** Rings around all regions with value >= 0, in grid coordinates. */
export function traceRings(values, width, height) {
  const at = (i, j) => (i < 0 || j < 0 || i >= width || j >= height ? -Infinity : values[j * width + i]);
  const next = new Map();
  for (let j = -1; j < height; j += 1) for (let i = -1; i < width; i += 1) {
    const c = [at(i, j + 1), at(i + 1, j + 1), at(i + 1, j), at(i, j)];
    const kind = (c[0] >= 0 ? 8 : 0) + (c[1] >= 0 ? 4 : 0) + (c[2] >= 0 ? 2 : 0) + (c[3] >= 0 ? 1 : 0);
    for (const [from, to] of CASES[kind]) next.set(edgeKey(i, j, from), { key: edgeKey(i, j, to), point: edgePoint(i, j, to, c) });
  }
  const found = [];
  while (next.size) {
    const first = next.keys().next().value, ring = [];
    for (let k = first; next.has(k);) { const step = next.get(k); next.delete(k); ring.push(step.point); k = step.key; }
    if (ring.length > 2) found.push(ring);
  }
  return found;
}

/** The key of an edge, the same for both adjacent cells. */
function edgeKey(i, j, edge) {
  if (edge === 0) return `h${i},${j + 1}`;
  if (edge === 2) return `h${i},${j}`;
  return edge === 3 ? `v${i},${j}` : `v${i + 1},${j}`;
}

function zeroFraction(a, b) {
  if (a === -Infinity || b === -Infinity) return a === -Infinity ? 1 : 0;
  return a === b ? 0.5 : a / (a - b);
}

/** @param {number} i @param {number} j @param {number} edge @param {number[]} corners */
function edgePoint(i, j, edge, corners) {
  const [ul, ur, lr, ll] = corners;
  if (edge === 0) return [i + zeroFraction(ul, ur), j + 1];
  if (edge === 2) return [i + zeroFraction(ll, lr), j];
  return edge === 3 ? [i, j + zeroFraction(ll, ul)] : [i + 1, j + zeroFraction(lr, ur)];
}

/** values on a grid [width, height] over x0..x1, y0..y1; the line is drawn inside the frame only. */
let discs = 0;

export function contour({ values, grid, box, disc = false, class: name = "" }, x, y) {
  const [width, height] = grid, [[x0, x1], [y0, y1]] = box;
  const px = (i) => x(x0 + (i / (width - 1)) * (x1 - x0)), py = (j) => y(y0 + (j / (height - 1)) * (y1 - y0));
  const edge = ([i, j]) => i <= 0 || j <= 0 || i >= width - 1 || j >= height - 1;
  let area = "", border = "";
  for (const ring of traceRings(values, width, height)) {
    area += `M${ring.map(([i, j]) => `${px(i).toFixed(1)},${py(j).toFixed(1)}`).join("L")}Z`;
    ring.forEach((point, k) => {
      const before = ring[(k + ring.length - 1) % ring.length];
      if (!(edge(before) && edge(point))) border += `M${px(before[0]).toFixed(1)},${py(before[1]).toFixed(1)}L${px(point[0]).toFixed(1)},${py(point[1]).toFixed(1)}`;
    });
  }
  const paths = [s("path", { class: "area", d: area, "fill-rule": "evenodd" }), s("path", { class: "border", d: border })];
  // The rest of the box is the other side.
  const rest = s("path", { class: "rest", d: `M${x(x0)},${y(y0)}H${x(x1)}V${y(y1)}H${x(x0)}Z${area}`, "fill-rule": "evenodd" });
  if (!disc) return s("g", { class: `contour ${name}` }, rest, paths);
  // A sphere is clipped at its outline.
  const id = `disc-${discs++}`, rim = s("clipPath", { id }, s("circle", { cx: x(0), cy: y(0), r: Math.abs(x(1) - x(0)) }));
  return s("g", { class: `contour ${name}` }, rim, s("g", { "clip-path": `url(#${id})` }, paths));
}
