// A curve through points, interrupted at missing values.

import { s } from "../../dom.js";

const DENSE = 900;

/** Keep the extremes of many points per pixel: the drawn shape is the same. */
function decimate(data) {
  if (data.length <= DENSE) return data;
  const size = Math.ceil(data.length / (DENSE / 2)), kept = [];
  for (let k = 0; k < data.length; k += size) {
    let low = data[k], high = data[k];
    for (let i = k; i < Math.min(k + size, data.length); i += 1) { if (data[i][1] < low[1]) low = data[i]; if (data[i][1] > high[1]) high = data[i]; }
    kept.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  kept.push(data[data.length - 1]);
  return kept;
}

/** data: [[x, y], ...] */
export function line({ data, class: name = "", curve = true }, x, y) {
  let path = "", down = false;
  for (const [a, b] of curve ? decimate(data) : data) {
    if (a === null || b === null || !Number.isFinite(a) || !Number.isFinite(b)) { down = false; continue; }
    path += `${down ? "L" : "M"}${x(a).toFixed(2)},${y(b).toFixed(2)}`;
    down = true;
  }
  return s("path", { class: `line ${name}`, d: path });
}
