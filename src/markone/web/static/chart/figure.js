// A figure: marks on scales, with axes, tooltips, keyboard access, table, CSV and SVG export.

import { downloadFile, h, formatNumber, s, renderSvgText, showToast, renderText } from "../dom.js";
import { announceLines, hideTip, showTip } from "../tips.js";
import { arrow } from "./marks/arrow.js";
import { band } from "./marks/band.js";
import { contour } from "./marks/contour.js";
import { dot } from "./marks/dot.js";
import { grid } from "./marks/grid.js";
import { line } from "./marks/line.js";
import { bars, ellipse, rule, text } from "./marks/rule.js";
import { makeScale, tickValues } from "./scales.js";
import { serializeSvg } from "./svg.js";
import { tableToCsv, tableNode } from "./table.js";

const MARKS = { arrow, band, bars, contour, dot, ellipse, grid, line, rule, text };
const NEAR = 26;
let serial = 0;

/** @typedef {{ label?: string, domain?: number[], log?: boolean, hide?: boolean, count?: number }} Axis */

export class Figure {
  /** @param {HTMLElement} host @param {{ title: string, ratio?: number, x?: Axis, y?: Axis, small?: boolean, bare?: boolean, ownKeys?: boolean }} options */
  constructor(host, options) {
    this.options = { ratio: 0.75, ...options };
    this.id = `figure-${serial++}`;
    this.x = { domain: [0, 1], ...options.x };
    this.y = { domain: [0, 1], ...options.y };
    /** @type {any[]} */
    this.marks = [];
    this.cache = [];
    this.tips = [];
    this.table = () => ({ columns: [], rows: [] });
    this.buildNodes(host);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.frame);
  }

  buildNodes(host) {
    const { title, small, bare } = this.options;
    this.svg = s("svg", { class: "plot", role: "img", tabindex: "0", "aria-labelledby": `${this.id}-title`, focusable: "true" });
    this.label = s("title", { id: `${this.id}-title`, text: title });
    this.axes = s("g", { class: "axes", "aria-hidden": "true" });
    this.clip = s("rect");
    this.inside = s("g", { class: "inside", "clip-path": `url(#${this.id}-clip)` });
    this.over = s("g", { class: "over" });
    this.svg.append(this.label, s("defs", {}, s("clipPath", { id: `${this.id}-clip` }, this.clip)), this.axes, this.inside, this.over);
    this.frame = h("div", { class: "frame" }, this.svg);
    this.frame.style.setProperty("--ratio", String(this.options.ratio));
    this.legendNode = h("div", { class: "legend" });
    const button = (words, name, action) => h("button", { type: "button", class: "quiet", text: words, "aria-label": `${name} of ${title}`, on: { click: action } });
    this.tableHost = h("div", { class: "table-host", hidden: true });
    const menu = h("div", { class: "menu" }, button("Table", "Data table", () => this.toggleTable()), button("CSV", "CSV", () => this.saveCsv()), button("SVG", "SVG picture", () => this.saveSvg()));
    this.node = h("figure", { class: `chart${small ? " small" : ""}${bare ? " bare" : ""}` }, h("figcaption", {}, h("span", { class: "caption", text: title }), this.legendNode, menu), this.frame, this.tableHost);
    host.append(this.node);
    this.svg.addEventListener("pointermove", (event) => this.showNearest(event));
    this.svg.addEventListener("pointerleave", hideTip);
    this.svg.addEventListener("keydown", (event) => this.handleKey(event));
    this.svg.addEventListener("blur", hideTip);
  }

  destroy() { this.observer.disconnect(); this.node.remove(); }

  resize() {
    const { width, height } = this.frame.getBoundingClientRect();
    if (!width || (Math.abs(width - this.width) < 0.5 && Math.abs(height - this.height) < 0.5)) return;
    this.width = width;
    this.height = height;
    this.redraw(true);
  }

  /** Draw marks; a mark that is unchanged is not drawn again. @param {{ marks: any[], x?: Axis, y?: Axis, table?: () => any, title?: string, legend?: any[] }} what */
  draw({ marks, x, y, table, title, legend }) {
    const before = JSON.stringify([this.x, this.y]);
    if (x) this.x = { ...this.x, ...x };
    if (y) this.y = { ...this.y, ...y };
    this.marks = marks.filter(Boolean);
    if (table) this.table = table;
    if (title) { this.label.textContent = title; this.node.querySelector(".caption").replaceChildren(...renderText(title)); }
    if (legend) this.drawLegend(legend);
    this.redraw(JSON.stringify([this.x, this.y]) !== before);
    if (!this.tableHost.hidden) this.fillTable();
  }

  redraw(anew) {
    if (!this.width) { this.resize(); return; }
    if (anew) this.layout();
    const nodes = this.marks.map((mark, k) => this.nodeOf(mark, k));
    this.cache.length = this.marks.length;
    const current = [...this.inside.childNodes];
    if (current.length !== nodes.length || nodes.some((node, k) => node !== current[k])) this.inside.replaceChildren(...nodes);
    this.tips = this.marks.flatMap((mark) => mark.tips ?? []);
  }

  nodeOf(mark, k) {
    const old = this.cache[k];
    const names = Object.keys(mark).filter((name) => name !== "tips");
    if (old && old.at === this.sx && old.mark.type === mark.type && names.every((name) => Object.is(old.mark[name], mark[name]))) return old.node;
    const node = MARKS[mark.type](mark, this.sx, this.sy);
    this.cache[k] = { mark, node, at: this.sx };
    return node;
  }

  layout() {
    const bare = this.options.bare, small = this.options.small;
    const plain = !this.x.label && !this.y.label;
    const left = bare || this.y.hide ? 4 : plain ? 26 : small ? 46 : 54, bottom = bare || this.x.hide ? 4 : plain ? 20 : small ? 34 : 42, top = 8, right = bare ? 4 : 14;
    const { width, height } = this;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.sx = makeScale(this.x.domain, [left, width - right], this.x.log);
    this.sy = makeScale(this.y.domain, [height - bottom, top], this.y.log);
    for (const [name, value] of Object.entries({ x: left - 5, y: top - 5, width: Math.max(0, width - left - right + 10), height: Math.max(0, height - top - bottom + 10) })) this.clip.setAttribute(name, String(value));
    this.cache = [];
    this.drawAxes(left, right, top, bottom);
  }

  drawAxes(left, right, top, bottom) {
    const { width, height, sx, sy } = this;
    const parts = [s("rect", { class: "ground", x: left, y: top, width: Math.max(0, width - left - right), height: Math.max(0, height - top - bottom) })];
    if (!this.options.bare && !this.x.hide) for (const value of tickValues(this.x.domain, this.x.count ?? Math.max(3, width / 90), this.x.log)) {
      parts.push(s("path", { class: "tick", d: `M${sx(value)},${top}V${height - bottom}` }), s("text", { class: "number", x: sx(value), y: height - bottom + 15, "text-anchor": "middle", text: formatNumber(value) }));
    }
    if (!this.options.bare && !this.y.hide) for (const value of tickValues(this.y.domain, this.y.count ?? Math.max(3, height / 60), this.y.log)) {
      parts.push(s("path", { class: "tick", d: `M${left},${sy(value)}H${width - right}` }), s("text", { class: "number", x: left - 7, y: sy(value) + 4, "text-anchor": "end", text: formatNumber(value) }));
    }
    if (this.x.label && !this.x.hide) parts.push(renderSvgText({ class: "name", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, this.x.label));
    if (this.y.label && !this.y.hide) parts.push(renderSvgText({ class: "name", transform: `translate(13,${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, this.y.label));
    this.axes.replaceChildren(...parts);
  }

  /** items: [{words, class, shape: "line" or that of a dot, marker: the shape of the dots on a line}] */
  drawLegend(items) {
    const text = JSON.stringify(items);
    if (text === this.legendText) return;
    this.legendText = text;
    this.legendNode.replaceChildren(...items.map((item) => {
      const key = s("svg", { class: "key", viewBox: "0 0 22 12", "aria-hidden": "true" });
      const x = (v) => v, y = (v) => v;
      if (item.shape === "line") key.append(line({ data: [[1, 6], [21, 6]], class: item.class }, x, y));
      if (item.marker) key.append(dot({ data: [{ x: 11, y: 6, r: 3.4, shape: item.marker }], class: item.class }, x, y));
      if (item.shape !== "line") key.append(dot({ data: [{ x: 11, y: 6, r: 4, shape: item.shape, class: item.class }], class: item.group }, x, y));
      return h("span", {}, key, item.words);
    }));
  }

  /** Data coordinates of a pointer event, or null outside. */
  dataPoint(event) {
    const box = this.svg.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const inside = px >= this.sx.range[0] && px <= this.sx.range[1] && py >= this.sy.range[1] && py <= this.sy.range[0];
    return inside ? { x: this.sx.invert(px), y: this.sy.invert(py), px, py } : null;
  }

  /** The nearest tip within `reach` pixels, or null. */
  nearestTip(px, py, reach = NEAR) {
    let best = null, least = reach ** 2;
    for (const tip of this.tips) {
      const d = (this.sx(tip.x) - px) ** 2 + (this.sy(tip.y) - py) ** 2;
      if (d < least) { least = d; best = tip; }
    }
    return best;
  }

  showNearest(event) {
    const at = this.sx && this.dataPoint(event);
    const tip = at && this.nearestTip(at.px, at.py);
    if (tip) showTip(tip.lines, event.clientX, event.clientY);
    else hideTip();
  }

  /** Arrow keys step through the values, for use without a pointer. */
  handleKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (this.options.ownKeys || !step || !this.tips.length) return;
    event.preventDefault();
    this.place = Math.min(this.tips.length - 1, Math.max(0, (this.place ?? -1) + step));
    const tip = this.tips[this.place], box = this.svg.getBoundingClientRect();
    showTip(tip.lines, box.left + this.sx(tip.x), box.top + this.sy(tip.y));
    announceLines(tip.lines);
  }

  fillTable() { this.tableHost.replaceChildren(tableNode(this.table(), this.label.textContent)); }

  toggleTable() {
    this.tableHost.hidden = !this.tableHost.hidden;
    if (!this.tableHost.hidden) this.fillTable();
  }

  fileName() { return this.label.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "figure"; }

  saveCsv() {
    const table = this.table();
    if (!table.rows.length) return showToast("There are no values yet.");
    downloadFile(`${this.fileName()}.csv`, "text/csv", tableToCsv(table));
  }

  saveSvg() { downloadFile(`${this.fileName()}.svg`, "image/svg+xml", serializeSvg(this.svg, this.width, this.height)); }
}
