// Shared by the screens with sweeps: points with theory lines, and the progress.

import { shapeName } from "../chart/marks/dot.js";
import { h, formatNumber } from "../dom.js";

/** Means with error bars: [[x, mean, error, repeats], ...] as dots of line k. */
export function pointMarks(points, k, title, { open = false, measure = "" } = {}) {
  const usable = points.filter((p) => p[1] !== null);
  return {
    type: "dot", r: 4.2, shape: shapeName(k), class: `series-${k}${open ? " open" : ""}`,
    data: usable.map(([x, y, e]) => ({ x, y, ...(e !== null ? { low: y - e, high: y + e } : {}) })),
    tips: usable.map(([x, y, e, n]) => ({ x, y, lines: [title, `at ${formatNumber(x)}: ${measure}${formatNumber(y)} ± ${formatNumber(e, 2)}`, `${n} data sets`], point: points.findIndex((p) => p[0] === x) })),
  };
}

export function theoryMark(curve, k, style = "") { return { type: "line", data: curve ?? [], class: `series-${k} ${style}` }; }

/** Rows of a table: one per line and x, with the theory nearest to it. */
export function tableRows(titles, points, curves) {
  return titles.flatMap((title, k) => (points[k] ?? []).map(([x, y, e, n]) => [title, x, y, e, n, interpolate(curves[k], x)]));
}

/** The theory at x, interpolated between two of its points. */
export function interpolate(curve, x) {
  if (!curve?.length) return null;
  const k = curve.findIndex(([a]) => a >= x - 1e-12);
  if (k < 0) return null;
  if (k === 0) return Math.abs(curve[0][0] - x) < 1e-9 ? curve[0][1] : null;
  const [[a, b], [c, d]] = [curve[k - 1], curve[k]];
  return b + ((x - a) / (c - a)) * (d - b);
}

export function makeProgress() {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Repeats computed" });
  const words = h("span", { class: "quietly" });
  return { node: h("div", { class: "progress" }, bar, words), show: (done, of, unit = "repeats") => { bar.value = done / of; words.textContent = `${done} of ${of} ${unit}`; } };
}
