// What screens with growing curves share: frames asked for one by one, points over theory lines.

import { shapeOf } from "../chart/marks/dot.js";
import { h, number } from "../dom.js";

/** Ask for frames as long as the page is looked at; a hidden tab asks for none. */
export function follow(shell, state, onFrame) {
  const job = shell.request({
    onFrame: (data, last) => {
      onFrame(data, last);
      if (!last) requestAnimationFrame(() => job.more());
    },
  }, state);
  return job;
}

/** Means with error bars: [[x, mean, error, repeats], ...] as dots of line k. */
export function dots(points, k, title, { open = false, measure = "" } = {}) {
  const usable = points.filter((p) => p[1] !== null);
  return {
    type: "dot", r: 4.2, shape: shapeOf(k), class: `series-${k}${open ? " open" : ""}`,
    data: usable.map(([x, y, e]) => ({ x, y, ...(e !== null ? { low: y - e, high: y + e } : {}) })),
    tips: usable.map(([x, y, e, n]) => ({ x, y, lines: [title, `at ${number(x)}: ${measure}${number(y)} ± ${number(e, 2)}`, `${n} data sets`], point: points.findIndex((p) => p[0] === x) })),
  };
}

export function theory(curve, k, style = "") { return { type: "line", data: curve ?? [], class: `series-${k} ${style}` }; }

/** Rows of a table: one per line and x, with the theory nearest to it. */
export function rows(titles, points, curves) {
  return titles.flatMap((title, k) => (points[k] ?? []).map(([x, y, e, n]) => [title, x, y, e, n, at(curves[k], x)]));
}

/** The theory at x, between two of its points. */
export function at(curve, x) {
  if (!curve?.length) return null;
  const k = curve.findIndex(([a]) => a >= x - 1e-12);
  if (k < 0) return null;
  if (k === 0) return Math.abs(curve[0][0] - x) < 1e-9 ? curve[0][1] : null;
  const [[a, b], [c, d]] = [curve[k - 1], curve[k]];
  return b + ((x - a) / (c - a)) * (d - b);
}

export function progress() {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Repeats computed" });
  const words = h("span", { class: "quietly" });
  return { node: h("div", { class: "progress" }, bar, words), show: (done, of, unit = "repeats") => { bar.value = done / of; words.textContent = `${done} of ${of} ${unit}`; } };
}
