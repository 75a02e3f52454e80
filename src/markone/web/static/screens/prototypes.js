// Prototypes: projection, relevances, rejection and counterfactuals of a real table.

import { arrow } from "../chart/marks/arrow.js";
import { shapeName } from "../chart/marks/dot.js";
import { extent } from "../chart/scales.js";
import { h, formatNumber } from "../dom.js";
import { dropZone, targetSelect } from "../upload.js";
import { Player } from "./player.js";
import { DetailPanel, counterfactualLines } from "./prototypes-close.js";
import { View } from "./view.js";

export default class Prototypes extends View {
  constructor(shell, stage) {
    super(shell, stage);
    /** @type {any[]} */
    this.steps = [];
    this.player = new Player(this, ["1", "3", "6"], "3", "steps");
    this.target = targetSelect((target) => shell.setState({ target }));
    this.own = h("div", { hidden: true }, dropZone(shell, stage, (table, name) => shell.setState({ data: "own", table, name, target: null })), h("div", { class: "player" }, this.target.node));
    stage.append(this.own, this.player.node);
    this.figure = this.addFigure(stage, { title: "Along the leading eigenvectors", ratio: 0.58, x: { label: "first direction" }, y: { label: "second direction" } });
    this.figure.svg.classList.add("clickable");
    this.figure.svg.addEventListener("click", (event) => { const at = this.figure.dataPoint(event), tip = at && this.figure.nearestTip(at.px, at.py); if (tip?.row !== undefined) this.shell.setState({ row: tip.row }); });
    this.figure.svg.addEventListener("pointermove", (event) => { const at = this.figure.sx && this.figure.dataPoint(event); this.showCounterfactual(at && this.figure.nearestTip(at.px, at.py)); });
    for (const end of ["pointerleave", "blur"]) this.figure.svg.addEventListener(end, () => this.showCounterfactual(null));
    this.figure.svg.addEventListener("keydown", (event) => {
      const tip = this.figure.tips[this.figure.place ?? -1];
      this.showCounterfactual(tip);
      if (event.key === "Enter" && tip?.row !== undefined) this.shell.setState({ row: tip.row });
    });
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    const below = h("div", { class: "series" });
    stage.append(this.line, below);
    this.detail = new DetailPanel(stage);
    this.course = this.addFigure(below, { title: "Errors", ratio: 0.72, small: true, x: { label: "steps" }, y: { label: "errors" } });
    this.relevance = this.addFigure(below, { title: "Relevance", ratio: 0.72, small: true, x: { label: "feature" }, y: { label: "Λ_i", domain: [0, 1] } });
    this.reject = this.addFigure(below, { title: "Accuracy if some are rejected", ratio: 0.72, small: true, x: { label: "rejected", domain: [0, 0.9] }, y: { label: "accuracy" } });
  }

  destroy() { super.destroy(); this.detail.destroy(); }

  get t() { return this.state.t; }
  get P() { return 1; }
  get stride() { return 1; }
  get end() { return this.steps.length; }

  go(t) {
    const next = Math.max(1, Math.min(t, this.end));
    this.shell.setState({ t: next });
    return !this.over || next < this.end;
  }

  update(state, changed) {
    this.state = state;
    if (changed?.every((name) => ["t", "reject", "row"].includes(name)) && this.steps.length) return this.draw();
    if (changed && !changed.includes("row") && state.row !== null && changed.some((name) => name === "data" || name === "seed")) { this.shell.setState({ row: null }, { redraw: false }); this.state = this.shell.state; }
    this.player.wanted = null;
    this.own.hidden = state.data !== "own";
    this.steps = [];
    this.over = this.head = null;
    this.requestFrames({ ...this.state, t: 0, reject: 0, row: null }, (data) => {
      if (data.columns) this.target.show(data.columns, this.state.target);
      if (data.classes) this.head = data;
      if (data.step) this.steps[data.number] = data.step;
      if (data.end) this.over = data.end;
      this.draw();
      this.player.catchUp();
    });
  }

  draw() {
    const { head, steps, over, state } = this;
    if (!head || !steps.length) return;
    const step = steps[Math.min(Math.max(1, state.t), steps.length) - 1];
    const cut = over ? [...over.sure].sort((a, b) => a - b)[Math.floor(state.reject * over.sure.length)] ?? 0 : 0;
    const out = (i) => over && state.reject > 0 && over.sure[i] < cut;
    const xs = step.rows.map((p) => p[0]), ys = step.rows.map((p) => p[1]);
    /** @type {any[]} */
    const marks = [
      { type: "dot", r: 4, class: "table-rows", data: step.rows.map(([x, y], i) => ({ x, y, shape: shapeName(head.labels[i]), class: `series-${head.labels[i] % 6}${out(i) ? " rejected" : ""}${over && !over.right[i] && state.t >= this.end ? " wrong" : ""}` })), tips: step.rows.map(([x, y], i) => ({ x, y, row: i, lines: [`Row ${i + 1}: ${head.classes[head.labels[i]]}`, ...(over ? [`certainty ${formatNumber(over.sure[i], 3)}${out(i) ? ", rejected" : ""}`, ...(state.t >= this.end ? counterfactualLines(over.counter, i, head) : [])] : [])] })) },
      { type: "dot", r: 10, shape: "star", class: "prototypes", data: step.prototypes.map(([x, y], k) => ({ x, y, class: `series-${step.own[k] % 6}` })), tips: step.prototypes.map(([x, y], k) => ({ x, y, lines: [`Prototype of ${head.classes[step.own[k]]}`] })) },
    ];
    const counter = over?.counter, kept = counter?.found[state.row ?? -1] ? state.row : null;
    if (kept !== null && state.t >= this.end) marks.push({ type: "arrow", data: [{ from: step.rows[kept], to: counter.place[kept], class: "change" }] });
    this.figure.draw({ x: { domain: extent(xs, { air: 0.08 }) }, y: { domain: extent(ys, { air: 0.08 }) }, marks, legend: head.classes.slice(0, 10).map((words, k) => ({ words, shape: shapeName(k), class: `series-${k % 6}` })), table: () => ({ columns: ["row", "class", "first", "second", "certainty"], rows: step.rows.map((p, i) => [i + 1, head.classes[head.labels[i]], ...p, over?.sure[i] ?? null]) }) });
    const shown = steps.slice(0, Math.max(1, state.t));
    const course = shown.map((one) => [one.k, one.errors]);
    this.course.draw({ x: { domain: [0, 30] }, y: { domain: extent(steps.map((one) => one.errors), { zero: true, least: 4 }) }, marks: [{ type: "line", data: course, class: "series-0", curve: false }, { type: "dot", r: 3, data: course.map(([x, y]) => ({ x, y })), class: "series-0", tips: course.map(([x, y]) => ({ x, y, lines: [`after ${x} steps`, `${y} errors`] })) }], table: () => ({ columns: ["step", "errors", "cost"], rows: shown.map((one) => [one.k, one.errors, one.cost]) }) });
    this.drawRelevance(step);
    this.drawReject(over, state);
    this.detail.draw(over, head, kept);
    this.line.textContent = `${step.errors} of ${step.rows.length} rows wrong after ${step.k} steps${over && state.reject > 0 ? `; of the ${over.sure.filter((_, i) => !out(i)).length} answered, ${over.right.filter((ok, i) => !ok && !out(i)).length} wrong` : ""}.`;
    this.player.show(Math.min(state.t, steps.length), 1, Boolean(over) && state.t >= steps.length);
    const top = step.relevance.indexOf(Math.max(...step.relevance));
    this.shell.reportFacts({ errors: step.errors, rows: step.rows.length, model: state.model, data: state.data, top: head.features[top], reject: state.reject, answered_wrong: over ? over.right.filter((ok, i) => !ok && !out(i)).length : null, counterfactual: kept !== null, done: Boolean(over) });
  }

  drawRelevance(step) {
    const n = step.relevance.length, names = this.head.features;
    this.relevance.draw({ x: { domain: [0, n], hide: true }, y: { domain: [0, Math.max(...step.relevance) * 1.1] }, marks: [{ type: "bars", class: "series-2", data: step.relevance.map((y, k) => ({ x0: k + 0.08, x1: k + 0.92, y })), tips: step.relevance.map((y, k) => ({ x: k + 0.5, y, lines: [names[k], `relevance ${formatNumber(y, 3)}`] })) }, n <= 30 ? { type: "text", class: "bar-names", data: names.map((words, k) => ({ x: k + 0.5, y: 0, dx: 4, dy: -5, anchor: "start", upright: true, words })) } : null], table: () => ({ columns: ["feature", "relevance"], rows: step.relevance.map((y, k) => [names[k], y]) }) });
  }

  drawReject(over, state) {
    const curve = over?.curve.slice().sort((a, b) => a[0] - b[0]) ?? [];
    this.reject.draw({ y: { domain: [extent([...curve.map((p) => p[1]), 1], { air: 0.1, least: 0.02 })[0], 1.001] }, marks: [{ type: "line", data: curve, class: "series-0", curve: false, tips: curve.map(([x, y]) => ({ x, y, lines: [`${formatNumber(100 * x, 3)} % rejected`, `accuracy ${formatNumber(y, 4)}`] })) }, { type: "rule", at: state.reject, class: "chosen" }], table: () => ({ columns: ["rejected", "accuracy"], rows: curve }) });
  }

  /** Draw an arrow to the counterfactual of the row under the pointer or cursor. */
  showCounterfactual(tip) {
    const { over, state, steps } = this, i = tip?.row;
    const shown = over?.counter.found[i] && state.t >= this.end;
    if (!shown) return this.figure.over.replaceChildren();
    this.figure.over.replaceChildren(arrow({ data: [{ from: steps.at(-1).rows[i], to: over.counter.place[i], class: "change" }] }, this.figure.sx, this.figure.sy));
  }
}
