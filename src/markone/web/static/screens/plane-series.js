// The curves beside the plane: stability, errors and length during learning.

import { Figure } from "../chart/figure.js";
import { shapeName } from "../chart/marks/dot.js";
import { extent, roundUp } from "../chart/scales.js";
import { formatNumber } from "../dom.js";

const CHARTS = [
  { key: "kappa", title: "Stability", label: "κ", bound: "upper", none: "only lines and kernels have one" },
  { key: "errors", title: "Errors", label: "errors", zero: true },
  { key: "norm", title: "Length or cost", label: "|w|, cost", zero: true, other: "cost", none: "these students have none" },
];

export class Series {
  constructor(host) {
    this.figures = CHARTS.map((chart) => new Figure(host, { title: chart.title, ratio: 0.72, small: true, x: { label: "presentations" }, y: { label: chart.label } }));
  }

  destroy() { for (const figure of this.figures) figure.destroy(); }

  /** All curves up to presentation t. */
  draw(students, t, P) {
    const x = { domain: [0, roundUp(Math.max(t, 2 * P, 20))] };
    CHARTS.forEach((chart, k) => {
      const lines = students.map((student) => chartCurves(student, chart, t, P));
      const values = lines.flatMap((one) => [...one.main, ...one.bound.slice(-400)]).map((point) => point[1]);
      const y = { domain: extent(values, { zero: chart.zero, least: chart.zero ? 1 : 0.02 }) };
      const none = students.some((student) => student.rows.length) && t > 0 && !values.length;
      const marks = none ? [{ type: "text", class: "hint", data: [{ x: x.domain[1] / 2, y: 0.5, words: chart.none ?? "none" }] }] : lines.flatMap((one, j) => [
        one.bound.length ? { type: "line", data: one.bound, class: `series-${j} dashed` } : null,
        { type: "line", data: one.main, class: `series-${j}`, tips: curveTips(students[j], chart, one.main) },
        one.main.length ? { type: "dot", r: 3.5, shape: shapeName(j), data: [{ x: one.main.at(-1)[0], y: one.main.at(-1)[1] ?? NaN }].filter((d) => Number.isFinite(d.y)), class: `series-${j}` } : null,
      ]);
      this.figures[k].draw({ marks, x, y, table: () => seriesTable(students, chart, lines) });
    });
  }
}

function chartCurves(student, chart, t, P) {
  const step = student.line ? 1 : P, first = student.line ? 0 : 1;
  const rows = student.rows.slice(0, Math.floor(t / step) + (student.line ? 1 : 0));
  const of = (name) => rows.map((row, k) => [(k + first) * step, row[name] ?? null]);
  const main = of(chart.key in (rows[0] ?? {}) ? chart.key : chart.other ?? chart.key).filter((point) => point[1] !== null);
  const bound = chart.bound ? of(chart.bound).filter((point) => point[1] !== null) : [];
  return { main, bound };
}

function curveTips(student, chart, data) {
  const size = Math.max(1, Math.floor(data.length / 150));
  return data.filter((_, k) => k % size === 0 || k === data.length - 1).map(([x, y]) => ({ x, y, lines: [student.title, `after ${x}: ${formatNumber(y)}`] }));
}

function seriesTable(students, chart, lines) {
  const columns = ["student", "presentations", chart.key, ...(chart.bound ? [chart.bound] : [])];
  const rows = lines.flatMap((one, j) => {
    const bound = new Map(one.bound);
    return one.main.map(([x, y]) => [students[j].name, x, y, ...(chart.bound ? [bound.get(x) ?? null] : [])]);
  });
  return { columns, rows };
}
