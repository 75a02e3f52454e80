// A filled region: a polygon of data points, or the strip between two curves.

import { s } from "../../dom.js";

/** polygon: [[x, y], ...]; or data: [[x, low, high], ...] */
export function band({ polygon, data, class: name = "" }, x, y) {
  const points = polygon ?? [...data.map(([a, low]) => [a, low]), ...data.toReversed().map(([a, , high]) => [a, high])];
  const usable = points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  return s("path", { class: `band ${name}`, d: usable.length ? `M${usable.map(([a, b]) => `${x(a).toFixed(2)},${y(b).toFixed(2)}`).join("L")}Z` : "" });
}
