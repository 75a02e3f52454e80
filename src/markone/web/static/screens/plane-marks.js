// The marks of a student on the plane: boundary, margin, strengths, errors, the last update.

import { shapeName } from "../chart/marks/dot.js";
import { formatNumber } from "../dom.js";

/** The part of a convex polygon in which w·x + b >= level. @param {number[][]} polygon @param {number[]} w @param {number} level */
function clipPolygon(polygon, [a, b, c], level) {
  const f = (/** @type {number[]} */ [x, y]) => a * x + b * y + c - level, kept = [];
  polygon.forEach((p, k) => {
    const q = polygon[(k + 1) % polygon.length], fp = f(p), fq = f(q);
    if (fp >= 0) kept.push(p);
    if ((fp >= 0) !== (fq >= 0)) kept.push([p[0] + (fp / (fp - fq)) * (q[0] - p[0]), p[1] + (fp / (fp - fq)) * (q[1] - p[1])]);
  });
  return kept;
}

const halfPlane = (w, level, [[x0, x1], [y0, y1]]) => clipPolygon([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], w, level);
const negated = (w) => w.map((v) => -v);

/** The ends of the line w·x + b = level inside the box: two points or none. */
function boundaryChord(w, level, box) {
  const polygon = halfPlane(w, level, box), [a, b, c] = w;
  return polygon.filter(([x, y]) => Math.abs(a * x + b * y + c - level) < 1e-9 * (Math.abs(a) + Math.abs(b)) * 1e3 * Math.max(1, Math.abs(box[0][1])));
}

const withThreshold = (w) => (w.length === 3 ? w : [...w, 0]);

function linearMarks(look, box) {
  const w = withThreshold(look.row.w), norm = Math.hypot(...look.row.w);
  if (!norm || Math.hypot(w[0], w[1]) < 1e-12) return [];
  /** @type {any[]} */
  const marks = [{ type: "band", polygon: halfPlane(w, 0, box), class: "side plus" }, { type: "band", polygon: halfPlane(negated(w), 0, box), class: "side minus" }];
  const kappa = look.row.kappa;
  if (kappa > 0) {
    const level = kappa * norm, strip = clipPolygon(halfPlane(w, -level, box), negated(w), -level);
    marks.push({ type: "band", polygon: strip, class: "margin" });
    for (const side of [-level, level]) marks.push({ type: "line", data: boundaryChord(w, side, box), class: "edge", curve: false });
  }
  marks.push({ type: "line", data: boundaryChord(w, 0, box), class: "boundary", curve: false });
  return marks;
}

/** The weights as an arrow, and the change by the last example (Fig. 3.4). */
function updateMarks(look, points) {
  const { row, before } = look;
  if (!row || !before || row.mu < 0 || !look.learning) return [];
  const w = withThreshold(row.w), old = withThreshold(before.w), size = Math.hypot(w[0], w[1]);
  if (size < 1e-12) return [];
  const k = 1.3 / Math.max(size, Math.hypot(old[0], old[1]));
  const at = (v) => [v[0] * k, v[1] * k];
  const changed = Math.hypot(w[0] - old[0], w[1] - old[1], w[2] - old[2]) > 0;
  const data = [{ from: [0, 0], to: at(w), class: "weights" }];
  if (changed) data.unshift({ from: [0, 0], to: at(old), class: "old" }, { from: at(old), to: at(w), class: "change" });
  if (!points[row.mu]) return [];
  const [x, y] = points[row.mu];
  return [{ type: "arrow", data }, { type: "dot", data: [{ x, y, r: 14, shape: "circle" }], class: changed ? "current learned" : "current" }];
}

function surfaceMarks(student, row, box) {
  /** @type {any[]} */
  const marks = [{ type: "contour", values: row.surface, grid: row.grid, box, class: "sides" }];
  for (const unit of row.units ?? []) marks.push({ type: "line", data: boundaryChord(unit, 0, box), class: "unit", curve: false });
  if (row.prototypes) {
    if (row.metric) marks.push({ type: "ellipse", data: row.prototypes.map(([x, y], k) => ({ x, y, ...metricAxes(row.metric), class: row.labels[k] > 0 ? "plus" : "minus" })), class: "metric" });
    const trail = row.prototypes.map((_, k) => student.rows.slice(0, student.rows.indexOf(row) + 1).map((one) => one.prototypes[k]));
    for (const data of trail) marks.push({ type: "line", data, class: "trail", curve: false });
    marks.push({
      type: "dot", class: "prototypes", r: 9, shape: "star",
      data: row.prototypes.map(([x, y], k) => ({ x, y, class: row.labels[k] > 0 ? "plus" : "minus" })),
      tips: row.prototypes.map(([x, y], k) => ({ x, y, lines: [`Prototype ${k + 1}, class ${row.labels[k] > 0 ? "+1" : "−1"}`, `(${formatNumber(x)}, ${formatNumber(y)})`] })),
    });
  }
  return marks;
}

/** Half axes of the ellipse {v : v Λ v = 1/4 trace(Λ)} of equal distance. */
function metricAxes([[a, b], [, d]]) {
  const mean = (a + d) / 2, split = Math.hypot((a - d) / 2, b), one = mean + split, two = Math.max(mean - split, 1e-4);
  const angle = Math.atan2(2 * b, a - d) / 2, size = Math.sqrt((a + d) / 4);
  const p = Math.min(4, size / Math.sqrt(one)), q = Math.min(4, size / Math.sqrt(two));
  return { a: [Math.cos(angle) * p, Math.sin(angle) * p], b: [-Math.sin(angle) * q, Math.cos(angle) * q] };
}

/** The predicted label of a point, from the data of the picture. */
function predictedLabel(row, x, y, box) {
  if (row.w) { const w = withThreshold(row.w); return w[0] * x + w[1] * y + w[2] >= 0 ? 1 : -1; }
  const [width, height] = row.grid, i = ((x - box[0][0]) / (box[0][1] - box[0][0])) * (width - 1), j = ((y - box[1][0]) / (box[1][1] - box[1][0])) * (height - 1);
  const a = Math.max(0, Math.min(width - 2, Math.floor(i))), b = Math.max(0, Math.min(height - 2, Math.floor(j)));
  const v = (p, q) => row.surface[q * width + p], u = i - a, t = j - b;
  return (1 - u) * (1 - t) * v(a, b) + u * (1 - t) * v(a + 1, b) + (1 - u) * t * v(a, b + 1) + u * t * v(a + 1, b + 1) >= 0 ? 1 : -1;
}

function exampleMarks(plane, student, look) {
  const { points } = plane, { row, strengths } = look;
  const most = strengths ? Math.max(1e-12, ...strengths.map(Math.abs)) : 1;
  const prove = new Set(plane.showProof ? plane.separable?.prove ?? [] : []);
  const gamma = student.gamma ?? row?.gamma ?? null;
  const data = [], rings = [], tips = [];
  points.forEach(([x, y, S], mu) => {
    const strength = strengths?.[mu] ?? null;
    const size = plane.students.length > 1 ? 0.75 : 1;
    const r = size * (strength === null ? 5 : 4 + 4.5 * Math.sqrt(Math.abs(strength) / most));
    const wrong = row && (row.w ? row.norm > 0 : true) && predictedLabel(row, x, y, plane.domain) !== S;
    const clipped = gamma !== null && strength >= gamma * (1 - 1e-9);
    data.push({ x, y, r, shape: S > 0 ? "circle" : "square", class: `${S > 0 ? "plus" : "minus"}${wrong ? " wrong" : ""}${clipped ? " clipped" : ""}` });
    if (prove.has(mu)) rings.push({ x, y, r: r + 6, shape: "circle", class: "proof" });
    const lines = [`Example ${mu + 1}, S = ${S > 0 ? "+1" : "−1"}`, `(${formatNumber(x)}, ${formatNumber(y)})`];
    if (strength !== null) lines.push(`strength x = ${formatNumber(strength)}${clipped ? ", clipped" : ""}`);
    if (wrong) lines.push("answered wrongly");
    tips.push({ x, y, lines, mu });
  });
  return [rings.length ? { type: "dot", data: rings, class: "rings" } : null, { type: "dot", data, class: "examples", tips }];
}

function emptyHint([[x0, x1], [y0, y1]]) {
  const x = (x0 + x1) / 2, y = (y0 + y1) / 2;
  return { type: "text", class: "hint", data: [{ x, y, dy: -6, words: "Click to place a point, shift-click for the other class." }, { x, y, dy: 16, words: "Or drop a CSV, or paste two columns and a label." }] };
}

/** All marks, the table and the legend of one student. */
export function studentMarks(plane, student, look) {
  const box = plane.domain;
  const key = [look.row, plane.points, plane.showProof, look.index];
  if (student.drawn && key.every((value, k) => value === student.drawn.key[k])) return student.drawn.value;
  const parts = [];
  if (look.row) parts.push(...(student.line ? linearMarks(look, box) : surfaceMarks(student, look.row, box)));
  parts.push(...exampleMarks(plane, student, look));
  if (student.line) parts.push(...updateMarks(look, plane.points));
  if (!plane.points.length) parts.push(emptyHint(box));
  const strengths = look.strengths;
  const value = {
    marks: parts,
    table: () => ({ columns: ["example", "xi1", "xi2", "S", ...(strengths ? ["strength"] : [])], rows: plane.points.map(([x, y, S], mu) => [mu + 1, x, y, S, ...(strengths ? [strengths[mu]] : [])]) }),
    legend: plane.students.length > 1 ? [{ words: "in the curves", shape: "line", marker: shapeName(plane.students.indexOf(student)), class: `series-${plane.students.indexOf(student)}` }] : [{ words: "S = +1", shape: "circle", class: "plus", group: "examples" }, { words: "S = −1", shape: "square", class: "minus", group: "examples" }, { words: "wrong", shape: "circle", class: "plus wrong", group: "examples" }],
  };
  student.drawn = { key, value };
  return value;
}
