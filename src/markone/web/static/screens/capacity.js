// Capacity: fractions of separable and of learned sets, and the details of one set.

import { roundUp } from "../chart/scales.js";
import { h, formatNumber } from "../dom.js";
import { interpolate, pointMarks, makeProgress } from "./sweep.js";
import { View } from "./view.js";

export default class Capacity extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.progress = makeProgress();
    stage.append(this.progress.node);
    this.figure = this.addFigure(stage, { title: "How many sets can be stored?", ratio: 0.6, x: { label: "α = P/N" }, y: { label: "fraction of data sets", domain: [0, 1.04] } });
    this.figure.svg.classList.add("clickable");
    this.figure.svg.addEventListener("click", (event) => this.choosePoint(event));
    this.figure.svg.addEventListener("keydown", (event) => { if (event.key === "Enter" && this.figure.place !== undefined) this.showPoint(this.figure.tips[this.figure.place].point); });
    this.words = h("p", { class: "facts", text: "Click a point, or press Enter on it, to watch one of its data sets." });
    const turn = (words, by) => h("button", { type: "button", text: words, on: { click: () => this.shell.setState({ one: Math.max(0, Math.min(199, this.state.one + by)) }) } });
    this.row = h("div", { class: "toolrow" }, this.words, h("div", { class: "editor" }, turn("Previous set", -1), turn("Next set", 1)));
    this.below = h("div", { class: "pairwise" });
    stage.append(this.row, this.below);
    this.errors = this.addFigure(this.below, { title: "One set: errors after each sweep", ratio: 0.5, small: true, x: { label: "sweeps" }, y: { label: "errors" } });
    this.kappa = this.addFigure(this.below, { title: "One set: stability κ", ratio: 0.5, small: true, x: { label: "sweeps" }, y: { label: "κ" } });
  }

  choosePoint(event) {
    const place = this.figure.dataPoint(event);
    if (!place || !this.data.alphas) return;
    const near = this.data.alphas.map((a, k) => [Math.abs(a - place.x), k]).sort((p, q) => p[0] - q[0])[0];
    this.showPoint(near[1]);
  }

  showPoint(point) { if (point >= 0) this.shell.setState({ look: point, one: 0 }); }

  update(state, changed) {
    this.state = state;
    // Selecting another set does not change the fractions.
    const only = changed?.every((name) => name === "look" || name === "one") && this.complete;
    if (!only) { this.data = { titles: [], points: [], repeats: 0 }; this.complete = false; }
    this.requestFrames(state, (data, last) => {
      if (only) { this.data.detail = data.detail; this.draw(); this.job.stop(); return; }
      Object.assign(this.data, data);
      this.complete = last;
      this.draw();
    });
  }

  draw() {
    const { data, state } = this, points = data.points[0] ?? {};
    const separable = points.separable ?? [], converged = points.converged ?? [];
    const look = state.look !== null && data.alphas ? data.alphas[Math.min(state.look, data.alphas.length - 1)] : NaN;
    this.figure.draw({
      x: { domain: [state.low, state.high] },
      marks: [
        { type: "rule", at: 2, words: "α = 2" }, Number.isFinite(look) ? { type: "rule", at: look, class: "chosen" } : null,
        { type: "line", data: data.cover ?? [], class: "series-0" },
        pointMarks(separable, 0, "separable, proven", { open: true }), pointMarks(converged, 1, `learned within ${state.sweeps} sweeps`),
      ],
      legend: [{ words: "Cover's count", shape: "line", class: "series-0" }, { words: "separable", shape: "circle", class: "", group: "open series-0" }, { words: `learned in ${state.sweeps} sweeps`, shape: "square", class: "", group: "series-1" }],
      table: () => ({ columns: ["alpha", "separable", "error", "learned", "error", "sets", "Cover"], rows: separable.map(([x, y, e, n], k) => [x, y, e, converged[k]?.[1], converged[k]?.[2], n, interpolate(data.cover, x)]) }),
    });
    this.progress.show(data.repeats, state.repeats, "data sets a point");
    this.drawDetail(data.detail);
    const half = separable.find((p) => p[1] < 0.5)?.[0] ?? null;
    const gap = separable.length ? Math.max(...separable.map((p, k) => p[1] - (converged[k]?.[1] ?? 0))) : null;
    this.shell.reportFacts({ N: state.N, sweeps: state.sweeps, done: this.complete, half, gap, looked: state.look !== null, "detail.separable": data.detail?.separable ?? null, "detail.converged": data.detail?.converged ?? null });
  }

  drawDetail(detail) {
    this.below.hidden = !detail;
    if (!detail) return;
    const x = { domain: [0, roundUp(Math.max(detail.errors.at(-1)[0], 5))] };
    const table = (data, name) => () => ({ columns: ["sweep", name], rows: data });
    const tips = (data) => data.map(([a, b]) => ({ x: a, y: b, lines: [`after sweep ${a}`, formatNumber(b)] }));
    this.errors.draw({ x, y: { domain: [0, roundUp(Math.max(...detail.errors.map((p) => p[1]), 1))] }, marks: [{ type: "line", data: detail.errors, class: "series-1", tips: tips(detail.errors) }], table: table(detail.errors, "errors") });
    const kappas = detail.kappa.map((p) => p[1]);
    this.kappa.draw({ x, y: { domain: [Math.min(-0.1, ...kappas), Math.max(0.1, ...kappas)] }, marks: [{ type: "rule", at: 0, axis: "y" }, { type: "line", data: detail.kappa, class: "series-1", tips: tips(detail.kappa) }], table: table(detail.kappa, "kappa") });
    this.words.textContent = `Set ${detail.one + 1} at α = ${formatNumber(detail.alpha)}: P = ${detail.P}. ${detail.converged ? `Learned after ${detail.errors.at(-1)[0]} sweeps and ${detail.updates} updates.` : `Not learned in ${this.state.sweeps} sweeps.`} ${detail.proof}`;
  }
}
