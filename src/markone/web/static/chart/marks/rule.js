// Straight lines across the picture, text, ellipses and bars.

import { s, renderSvgText } from "../../dom.js";

/** at: a value on one axis; words beside it, above or `low`. */
export function rule({ at, axis = "x", words = "", low = false, class: name = "" }, x, y) {
  if (!Number.isFinite(at)) return s("g");
  const [a, b] = axis === "x" ? y.range : x.range;
  const path = axis === "x" ? `M${x(at)},${a}V${b}` : `M${a},${y(at)}H${b}`;
  const late = axis === "x" && x(at) > x.range[0] + 0.72 * (x.range[1] - x.range[0]);
  const place = axis === "x" ? { x: x(at) + (late ? -5 : 5), y: low ? Math.max(a, b) - 6 : Math.min(a, b) + 13, "text-anchor": late ? "end" : "start" } : { x: Math.max(a, b) - 4, y: y(at) - 5, "text-anchor": "end" };
  return s("g", { class: `rule ${name}` }, s("path", { d: path }), words ? renderSvgText(place, words) : null);
}

/** data: [{x, y, words, dx, dy, anchor, upright}]; upright: from below upwards */
export function text({ data, class: name = "" }, x, y) {
  return s("g", { class: `words ${name}` }, data.map((d) => {
    const px = x(d.x) + (d.dx ?? 0), py = y(d.y) + (d.dy ?? 0);
    return s("text", { x: px, y: py, transform: d.upright ? `rotate(-90 ${px} ${py})` : null, "text-anchor": d.anchor ?? "middle", class: d.class, text: d.words });
  }));
}

/** An ellipse given by its half axes as vectors: data [{x, y, a: [dx, dy], b: [dx, dy], class}] */
export function ellipse({ data, class: name = "" }, x, y) {
  const ring = Array.from({ length: 49 }, (_, k) => (2 * Math.PI * k) / 48);
  return s("g", { class: `ellipses ${name}` }, data.map((d) => s("path", {
    class: d.class,
    d: `M${ring.map((t) => `${x(d.x + Math.cos(t) * d.a[0] + Math.sin(t) * d.b[0]).toFixed(2)},${y(d.y + Math.cos(t) * d.a[1] + Math.sin(t) * d.b[1]).toFixed(2)}`).join("L")}Z`,
  })));
}

/** Vertical bars: data [{x0, x1, y, class}] from zero. */
export function bars({ data, class: name = "" }, x, y) {
  return s("g", { class: `bars ${name}` }, data.map((d) => s("rect", { class: d.class, x: x(d.x0), width: Math.max(0, x(d.x1) - x(d.x0) - 1), y: Math.min(y(d.y), y(0)), height: Math.abs(y(d.y) - y(0)) })));
}
