// Prototypes: projection, relevances, rejection and counterfactuals of a real table.

import { Figure } from "../chart/figure.js";
import { shapeOf } from "../chart/marks/dot.js";
import { grid } from "../chart/marks/grid.js";
import { extent } from "../chart/scales.js";
import { csvOf, tableNode } from "../chart/table.js";
import { download, h, number, s } from "../dom.js";
import { dropZone, targetSelect } from "../upload.js";
import { Player } from "./player.js";

export default class Prototypes {
  constructor(shell, stage) {
    this.shell = shell;
    this.player = new Player(this, ["1", "3", "6"], "3", "steps");
    this.target = targetSelect((target) => shell.set({ target }));
    this.own = h("div", { hidden: true }, dropZone(shell, stage, (table, name) => shell.set({ data: "own", table, name, target: null })), h("div", { class: "player" }, this.target.node));
    stage.append(this.own, this.player.node);
    this.figure = new Figure(stage, { title: "Along the leading eigenvectors", ratio: 0.58, x: { label: "first direction" }, y: { label: "second direction" } });
    this.figure.svg.classList.add("clickable");
    this.figure.svg.addEventListener("click", (event) => { const at = this.figure.at(event), tip = at && this.figure.nearest(at.px, at.py); if (tip?.row !== undefined) this.shell.set({ row: tip.row }); });
    this.figure.svg.addEventListener("keydown", (event) => { const tip = this.figure.tips[this.figure.place ?? -1]; if (event.key === "Enter" && tip?.row !== undefined) this.shell.set({ row: tip.row }); });
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    const below = h("div", { class: "series" });
    this.extra = h("div", { class: "pairwise below" });
    stage.append(this.line, below, this.extra);
    this.course = new Figure(below, { title: "Errors", ratio: 0.72, small: true, x: { label: "steps" }, y: { label: "errors" } });
    this.relevance = new Figure(below, { title: "Relevance", ratio: 0.72, small: true, x: { label: "feature" }, y: { label: "Λ_i", domain: [0, 1] } });
    this.reject = new Figure(below, { title: "Accuracy if some are rejected", ratio: 0.72, small: true, x: { label: "rejected", domain: [0, 0.9] }, y: { label: "accuracy" } });
  }

  destroy() { this.job?.stop(); this.player.pause(); for (const figure of [this.figure, this.course, this.relevance, this.reject]) figure.destroy(); }

  get t() { return this.state.t; }
  get P() { return 1; }
  get stride() { return 1; }
  get end() { return this.steps.length; }

  go(t) {
    const next = Math.max(1, Math.min(t, this.end));
    this.shell.set({ t: next });
    return next < this.end;
  }

  update(state, changed) {
    this.state = state;
    if (changed?.every((name) => ["t", "reject"].includes(name)) && this.steps?.length) return this.draw();
    if (changed && !changed.includes("row") && state.row !== null && changed.some((name) => name === "data" || name === "seed")) { this.shell.set({ row: null }, { redraw: false }); this.state = this.shell.state; }
    this.job?.stop();
    this.shell.say("");
    this.own.hidden = state.data !== "own";
    if (!changed || changed.some((name) => name !== "row")) { this.steps = []; this.over = null; this.head = null; }
    const quiet = Boolean(this.over);
    this.job = this.shell.request({
      onFrame: (data, last) => {
        if (data.columns) this.target.show(data.columns, this.state.target);
        if (data.classes) this.head = data;
        if (data.step) this.steps[data.number] = data.step;
        if (data.end) this.over = data.end;
        if (!quiet || last) this.draw();
        if (!last) requestAnimationFrame(() => this.job.more());
      },
    }, { ...this.state, t: 0, reject: 0 });
  }

  draw() {
    const { head, steps, over, state } = this;
    if (!head || !steps.length) return;
    const step = steps[Math.min(Math.max(1, state.t), steps.length) - 1];
    const cut = over ? [...over.sure].sort((a, b) => a - b)[Math.floor(state.reject * over.sure.length)] ?? 0 : 0;
    const out = (i) => over && state.reject > 0 && over.sure[i] < cut;
    const xs = step.rows.map((p) => p[0]), ys = step.rows.map((p) => p[1]);
    const marks = [
      { type: "dot", r: 4, class: "table-rows", data: step.rows.map(([x, y], i) => ({ x, y, shape: shapeOf(head.labels[i]), class: `series-${head.labels[i] % 6}${out(i) ? " rejected" : ""}${over && !over.right[i] && state.t >= this.end ? " wrong" : ""}` })), tips: step.rows.map(([x, y], i) => ({ x, y, row: i, lines: [`Row ${i + 1}: ${head.classes[head.labels[i]]}`, ...(over ? [`certainty ${number(over.sure[i], 3)}${out(i) ? ", rejected" : ""}`] : []), "click for its counterfactual"] })) },
      { type: "dot", r: 10, shape: "star", class: "prototypes", data: step.prototypes.map(([x, y], k) => ({ x, y, class: `series-${step.own[k] % 6}` })), tips: step.prototypes.map(([x, y], k) => ({ x, y, lines: [`Prototype of ${head.classes[step.own[k]]}`] })) },
    ];
    const counter = over?.counter;
    if (counter && state.t >= this.end) marks.push({ type: "arrow", data: [{ from: step.rows[counter.row], to: counter.place, class: "change" }] });
    this.figure.draw({ x: { domain: extent(xs, { air: 0.08 }) }, y: { domain: extent(ys, { air: 0.08 }) }, marks, legend: head.classes.slice(0, 10).map((words, k) => ({ words, shape: shapeOf(k), class: `series-${k % 6}` })), table: () => ({ columns: ["row", "class", "first", "second", "certainty"], rows: step.rows.map((p, i) => [i + 1, head.classes[head.labels[i]], ...p, over?.sure[i] ?? null]) }) });
    const shown = steps.slice(0, Math.max(1, state.t));
    const course = shown.map((one) => [one.k, one.errors]);
    this.course.draw({ x: { domain: [0, 30] }, y: { domain: extent(steps.map((one) => one.errors), { zero: true, least: 4 }) }, marks: [{ type: "line", data: course, class: "series-0", curve: false }, { type: "dot", r: 3, data: course.map(([x, y]) => ({ x, y })), class: "series-0", tips: course.map(([x, y]) => ({ x, y, lines: [`after ${x} steps`, `${y} errors`] })) }], table: () => ({ columns: ["step", "errors", "cost"], rows: shown.map((one) => [one.k, one.errors, one.cost]) }) });
    this.drawRelevance(step);
    this.drawReject(over, state);
    this.drawExtra();
    this.line.textContent = `${step.errors} of ${step.rows.length} rows wrong after ${step.k} steps${over && state.reject > 0 ? `; of the ${over.sure.filter((_, i) => !out(i)).length} answered, ${over.right.filter((ok, i) => !ok && !out(i)).length} wrong` : ""}.`;
    this.player.show(Math.min(state.t, steps.length), 1, state.t >= steps.length);
    const top = step.relevance.indexOf(Math.max(...step.relevance));
    this.shell.facts({ errors: step.errors, rows: step.rows.length, model: state.model, data: state.data, top: head.features[top], reject: state.reject, answered_wrong: over ? over.right.filter((ok, i) => !ok && !out(i)).length : null, counterfactual: Boolean(counter), done: Boolean(over) });
  }

  drawRelevance(step) {
    const n = step.relevance.length, names = this.head.features;
    this.relevance.draw({ x: { domain: [0, n], hide: true }, y: { domain: [0, Math.max(...step.relevance) * 1.1] }, marks: [{ type: "bars", class: "series-2", data: step.relevance.map((y, k) => ({ x0: k + 0.08, x1: k + 0.92, y })), tips: step.relevance.map((y, k) => ({ x: k + 0.5, y, lines: [names[k], `relevance ${number(y, 3)}`] })) }], table: () => ({ columns: ["feature", "relevance"], rows: step.relevance.map((y, k) => [names[k], y]) }) });
  }

  drawReject(over, state) {
    const curve = over?.curve.slice().sort((a, b) => a[0] - b[0]) ?? [];
    this.reject.draw({ y: { domain: extent([...curve.map((p) => p[1]), 1], { air: 0.1, least: 0.02 }) }, marks: [{ type: "line", data: curve, class: "series-0", curve: false, tips: curve.map(([x, y]) => ({ x, y, lines: [`${number(100 * x, 3)} % rejected`, `accuracy ${number(y, 4)}`] })) }, { type: "rule", at: state.reject, class: "chosen" }], table: () => ({ columns: ["rejected", "accuracy"], rows: curve }) });
  }

  drawExtra() {
    const { over, head } = this;
    if (this.extraOf === over) return;
    this.extraOf = over;
    const parts = [];
    if (over?.counter) {
      const c = over.counter;
      parts.push(h("div", { class: "chart" }, h("div", { class: "caption", text: `Row ${c.row + 1}: ${c.label}, and nearest to being ${c.other}` }), h("p", { class: "help", text: `Distance ${number(c.radius, 3)} in units of the spread${c.exact ? "" : " at the least"}. The features that would change most:` }),
        h("table", {}, h("thead", {}, h("tr", {}, ["feature", "is", "would be"].map((text) => h("th", { scope: "col", text })))), h("tbody", {}, c.order.map((k) => h("tr", {}, h("td", { text: head.features[k] }), h("td", { text: number(c.from[k]) }), h("td", { text: number(c.to[k]) })))))));
    }
    if (over?.lambda) parts.push(picture("Relevance matrix Λ", over.lambda, Math.max(...over.lambda.flat().map(Math.abs)), head.features));
    if (over?.images) parts.push(h("div", { class: "chart" }, h("div", { class: "caption", text: "Prototypes as images" }), h("div", { class: "strip" }, over.images.map((rows, k) => h("div", { class: "thumb", role: "img", "aria-label": `Prototype ${k + 1}` }, small(rows, "share"))))));
    this.extra.replaceChildren(...parts);
  }
}

function small(rows, kind) {
  const x = (v) => v * 40, y = (v) => 40 - v * 40;
  return s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, grid({ rows: rows.map((row) => row.map((v) => Math.max(kind === "share" ? 0 : -1, Math.min(1, v)))), box: [[0, 1], [0, 1]], kind, class: "neurons" }, x, y));
}

function picture(title, rows, most, names) {
  const table = () => ({ columns: ["feature", ...names], rows: rows.map((row, k) => [names[k], ...row]) });
  const host = h("div", { class: "table-host", hidden: true });
  const button = (words, name, action) => h("button", { type: "button", class: "quiet", text: words, "aria-label": `${name} of ${title}`, on: { click: action } });
  const menu = h("div", { class: "menu" }, button("Table", "Data table", () => { host.hidden = !host.hidden; host.replaceChildren(tableNode(table(), title)); }), button("CSV", "CSV", () => download("relevance-matrix.csv", "text/csv", csvOf(table()))));
  return h("div", { class: "chart" }, h("div", { class: "editor" }, h("span", { class: "caption", text: title }), menu), h("p", { class: "help", text: "Blue: positive, orange: negative; diagonal: relevance of a feature." }), h("div", { class: "matrix", role: "img", "aria-label": title }, small(rows.map((row) => row.map((v) => v / most)), "sign")), host);
}
