// An arrow with a solid head, between two data points.

import { s } from "../../dom.js";

/** data: [{from: [x, y], to: [x, y], class}] */
export function arrow({ data, class: name = "" }, x, y) {
  return s("g", { class: `arrows ${name}` }, data.map((d) => {
    const [a, b] = [x(d.from[0]), y(d.from[1])], [u, v] = [x(d.to[0]), y(d.to[1])];
    const length = Math.hypot(u - a, v - b);
    if (length < 1) return null;
    const head = Math.min(9, length * 0.6), ex = (u - a) / length, ey = (v - b) / length;
    const [cx, cy] = [u - ex * head, v - ey * head];
    const tip = `M${u},${v}L${cx - ey * head * 0.45},${cy + ex * head * 0.45}L${cx + ey * head * 0.45},${cy - ex * head * 0.45}Z`;
    return s("g", { class: d.class }, s("path", { class: "shaft", d: `M${a},${b}L${cx},${cy}` }), s("path", { class: "head", d: tip }));
  }));
}
