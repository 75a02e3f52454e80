// Points with a shape for each class: classes differ not by colour alone.

import { s } from "../../dom.js";

const SHAPES = {
  circle: (r) => `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`,
  square: (r) => { const a = r * 0.88; return `M${-a},${-a}H${a}V${a}H${-a}Z`; },
  triangle: (r) => { const a = r * 1.2; return `M0,${-a}L${a},${a * 0.8}H${-a}Z`; },
  diamond: (r) => { const a = r * 1.2; return `M0,${-a}L${a},0L0,${a}L${-a},0Z`; },
  cross: (r) => `M${-r},${-r}L${r},${r}M${-r},${r}L${r},${-r}`,
  star: (r) => Array.from({ length: 10 }, (_, k) => { const a = (k * Math.PI) / 5 - Math.PI / 2, q = k % 2 ? r * 0.5 : r * 1.25; return `${k ? "L" : "M"}${q * Math.cos(a)},${q * Math.sin(a)}`; }).join("") + "Z",
};
export const shapeName = (k) => ["circle", "square", "triangle", "diamond", "star"][k % 5];

/** data: [{x, y, r, shape, class, low, high}] */
export function dot({ data, r = 4, shape = "circle", class: name = "" }, x, y) {
  return s("g", { class: `dots ${name}` }, data.map((d) => {
    const px = x(d.x), py = y(d.y);
    const mark = s("path", { d: SHAPES[d.shape ?? shape](d.r ?? r), transform: `translate(${px.toFixed(2)},${py.toFixed(2)})`, class: d.class });
    if (d.low === undefined || d.low === null) return mark;
    const bar = s("path", { class: `bar ${d.class ?? ""}`, d: `M${px},${y(d.low).toFixed(2)}V${y(d.high).toFixed(2)}` });
    return s("g", {}, bar, mark);
  }));
}
