// Judging: threshold, bias and variance, folds.

import { shapeName } from "../chart/marks/dot.js";
import { extent, roundUp } from "../chart/scales.js";
import { h, formatNumber } from "../dom.js";
import { View } from "./view.js";

const NAMES = { f1: "F1", matthews: "Matthews", roc_auc: "area under ROC" };
/** A number with a fixed number of decimals. */
const toDecimals = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "–");

export default class Judging extends View {
  destroy() { super.destroy(); this.view?.destroy(); }

  update(state) {
    if (this.view?.what !== state.what) {
      this.view?.destroy();
      this.stage.replaceChildren();
      this.view = new VIEWS[state.what](this.shell, this.stage);
      this.view.what = state.what;
    }
    this.data = {};
    this.requestFrames(state, (data) => { Object.assign(this.data, data); this.shell.reportFacts({ what: state.what, ...this.view.show(this.data, state) }); });
  }
}

class Threshold extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.scores = this.addFigure(stage, { title: "Scores of the two classes", ratio: 0.4, x: { label: "score g", domain: [-5, 5] }, y: { label: "examples" }, ownKeys: true });
    this.scores.svg.classList.add("turnable");
    let held = false;
    // A page without a server has some thresholds only.
    const all = shell.screen.schema.properties.threshold.enum;
    const place = (x) => (all ? all.reduce((best, one) => (Math.abs(one - x) < Math.abs(best - x) ? one : best)) : Math.max(-4, Math.min(4, Math.round(x * 20) / 20)));
    const by = all ? all[1] - all[0] : 0.05;
    const move = (event) => { const at = held && this.scores.dataPoint(event); if (at) shell.setState({ threshold: place(at.x) }); };
    this.scores.svg.addEventListener("pointerdown", (event) => { held = true; this.scores.svg.setPointerCapture(event.pointerId); move(event); });
    this.scores.svg.addEventListener("pointermove", move);
    this.scores.svg.addEventListener("pointerup", () => { held = false; });
    this.scores.svg.addEventListener("keydown", (event) => { const way = { ArrowLeft: -by, ArrowRight: by }[event.key]; if (way) { event.preventDefault(); shell.setState({ threshold: place(shell.state.threshold + way) }); } });
    const below = h("div", { class: "series three below" });
    stage.append(below);
    this.roc = this.addFigure(below, { title: "ROC", ratio: 0.95, small: true, x: { label: "false positive rate" }, y: { label: "true positive rate", domain: [0, 1.02] } });
    this.pr = this.addFigure(below, { title: "Precision and recall", ratio: 0.95, small: true, x: { label: "recall" }, y: { label: "precision", domain: [0, 1.02] } });
    this.counts = h("div", { class: "chart numbers counts" });
    this.table = h("div", { class: "chart numbers" });
    below.append(this.counts, this.table);
  }

  show(data, state) {
    const width = data.edges[1] - data.edges[0], top = roundUp(Math.max(...data.counts.flat()));
    const bars = (k, name, shift) => ({ type: "bars", class: name, data: data.counts[k].map((y, i) => ({ x0: data.edges[i] + shift * width, x1: data.edges[i] + (shift + 0.5) * width, y })), tips: data.counts[k].map((y, i) => ({ x: data.edges[i] + width / 2, y, lines: [k ? "class +1" : "class −1", `${y} examples near ${formatNumber(data.edges[i] + width / 2, 2)}`] })) });
    this.scores.draw({ y: { domain: [0, top] }, marks: [bars(0, "minus", 0), bars(1, "plus", 0.5), { type: "rule", at: state.threshold, words: `Θ = ${formatNumber(state.threshold)}`, class: "chosen" }], legend: [{ words: "class −1", shape: "square", class: "minus", group: "examples" }, { words: "class +1", shape: "circle", class: "plus", group: "examples" }], table: () => ({ columns: ["from", "to", "class -1", "class +1"], rows: data.counts[0].map((y, i) => [data.edges[i], data.edges[i + 1], y, data.counts[1][i]]) }) });
    const here = { x: data.at[0], y: data.at[1] };
    this.roc.draw({ marks: [{ type: "line", data: [[0, 0], [1, 1]], class: "series-6 dashed", curve: false }, { type: "line", data: data.roc, class: "series-0", curve: false }, { type: "dot", r: 6, data: [here], class: "series-1", tips: [{ ...here, lines: [`Θ = ${formatNumber(state.threshold)}`, `fpr ${formatNumber(here.x, 3)}, tpr ${formatNumber(here.y, 3)}`] }] }], title: `ROC, area ${formatNumber(data.area, 3)}`, table: () => ({ columns: ["fpr", "tpr"], rows: data.roc }) });
    const measure = Object.fromEntries(data.measures.map((row) => [row[0], row[1]]));
    const spot = { x: measure.recall, y: measure.precision };
    this.pr.draw({ marks: [{ type: "line", data: data.pr, class: "series-0", curve: false }, Number.isFinite(spot.y) ? { type: "dot", r: 6, data: [spot], class: "series-1", tips: [{ ...spot, lines: [`Θ = ${formatNumber(state.threshold)}`, `precision ${formatNumber(spot.y, 3)}, recall ${formatNumber(spot.x, 3)}`] }] } : null], table: () => ({ columns: ["recall", "precision"], rows: data.pr }) });
    const [[tn, fp], [fn, tp]] = data.confusion;
    const cell = (value, kind) => h("td", { class: kind, text: String(value) });
    this.counts.replaceChildren(
      h("table", { class: "confusion" }, h("caption", { text: "Confusion matrix" }), h("tr", {}, h("td"), h("th", { scope: "col", text: "predicted −1" }), h("th", { scope: "col", text: "predicted +1" })), h("tr", {}, h("th", { scope: "row", text: "is −1" }), cell(tn, "right-one"), cell(fp, "wrong-one")), h("tr", {}, h("th", { scope: "row", text: "is +1" }), cell(fn, "wrong-one"), cell(tp, "right-one"))));
    this.table.replaceChildren(
      h("table", { class: "measures" }, h("caption", { text: "Measures with 95 % intervals" }), data.measures.map(([name, value, low, high]) => h("tr", {}, h("th", { scope: "row", text: NAMES[name] ?? name.replace(/_/g, " ") }), h("td", { text: toDecimals(value, 3) }), h("td", { class: "quietly", text: `${toDecimals(low, 2)} – ${toDecimals(high, 2)}` })))));
    return { ...measure, threshold: state.threshold, share: state.share, area: data.area };
  }
}

class Polynomials extends View {
  constructor(shell, stage) {
    super(shell, stage);
    const host = h("div", { class: "pairwise" });
    stage.append(host);
    this.fits = this.addFigure(host, { title: "Fits to different data sets", ratio: 0.85, x: { label: "x", domain: [-1.1, 1.1] }, y: { label: "y", domain: [-2, 2] } });
    this.errors = this.addFigure(host, { title: "Error against complexity", ratio: 0.85, x: { label: "degree", domain: [-0.4, 9.4] }, y: { label: "mean squared error" } });
  }

  show(data, state) {
    const curve = (ys) => data.x.map((x, k) => [x, ys[k]]);
    this.fits.draw({ marks: [...data.fits.map((ys) => ({ type: "line", data: curve(ys), class: "series-1 faint" })), { type: "line", data: curve(data.truth), class: "series-0" }, { type: "dot", r: 4, data: data.points.map(([x, y]) => ({ x, y })), tips: data.points.map(([x, y]) => ({ x, y, lines: ["first data set", `(${formatNumber(x)}, ${formatNumber(y, 3)})`] })) }], legend: [{ words: "truth x³", shape: "line", class: "series-0" }, { words: `degree ${state.degree}`, shape: "line", class: "series-1" }], table: () => ({ columns: ["x", "truth", ...data.fits.map((_, k) => `fit ${k + 1}`)], rows: data.x.map((x, i) => [x, data.truth[i], ...data.fits.map((ys) => ys[i])]) }) });
    const names = [["test", "test error"], ["training", "training error"], ["bias2", "bias²"], ["variance", "variance"]];
    const top = Math.min(Math.max(...data.test) * 1.05, Math.max(...data.test.slice(0, 6)) * 2.2);
    const line = ([key], k) => ({ type: "line", data: data.degrees.map((d, i) => [d, data[key][i]]), class: `series-${k}`, curve: false });
    const dots = ([key, words], k) => ({ type: "dot", r: 3.6, shape: shapeName(k), class: `series-${k}`, data: data.degrees.map((d, i) => ({ x: d, y: data[key][i] })), tips: data.degrees.map((d, i) => ({ x: d, y: data[key][i], lines: [words, `degree ${d}: ${formatNumber(data[key][i])}`] })) });
    this.errors.draw({ y: { domain: [0, top] }, marks: [{ type: "rule", at: state.degree, class: "chosen" }, ...names.map(line), ...names.map(dots)], legend: names.map(([, words], k) => ({ words, shape: "line", marker: shapeName(k), class: `series-${k}` })), table: () => ({ columns: ["degree", ...names.map(([key]) => key)], rows: data.degrees.map((d, i) => [d, ...names.map(([key]) => data[key][i])]) }) });
    return { degree: state.degree, test: data.test[state.degree], training: data.training[state.degree], best: data.test.indexOf(Math.min(...data.test)), chosen_best: data.test.indexOf(Math.min(...data.test)) === state.degree, rho: state.rho };
  }
}

class Folds extends View {
  constructor(shell, stage) {
    super(shell, stage);
    const host = h("div", { class: "pairwise" });
    stage.append(host);
    this.plane = this.addFigure(host, { title: "Folds", ratio: 0.8, x: { label: "ξ₁", domain: [-4, 4] }, y: { label: "ξ₂", domain: [-3, 3] } });
    this.spread = this.addFigure(host, { title: "Error of each partition", ratio: 0.8, x: { label: "mean test error" }, y: { label: "partitions" } });
    this.line = h("p", { class: "facts" });
    stage.append(this.line);
  }

  show(data, state) {
    this.plane.draw({ x: { domain: data.domain[0] }, y: { domain: data.domain[1] }, marks: [{ type: "dot", r: 7, data: data.points.map(([x, y, S], mu) => ({ x, y, shape: S > 0 ? "circle" : "square", class: `series-${data.fold[mu] % 6}` })), tips: data.points.map(([x, y, S], mu) => ({ x, y, lines: [`fold ${data.fold[mu] + 1}`, `S = ${S > 0 ? "+1" : "−1"}`] })) }, { type: "text", class: "fold-numbers", data: data.points.map(([x, y], mu) => ({ x, y, dy: 3.5, words: String(data.fold[mu] + 1) })) }], table: () => ({ columns: ["xi1", "xi2", "S", "fold"], rows: data.points.map((p, mu) => [...p, data.fold[mu] + 1]) }) });
    const means = data.means, low = means.length ? Math.min(...means) : 0, high = means.length ? Math.max(...means) : 0.3;
    const domain = extent([low, high], { least: 0.04, air: 0.15 }), n = 16, width = (domain[1] - domain[0]) / n, counts = new Array(n).fill(0);
    for (const value of means) counts[Math.min(n - 1, Math.floor((value - domain[0]) / width))] += 1;
    const mean = means.reduce((a, b) => a + b, 0) / Math.max(1, means.length), sd = Math.sqrt(means.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, means.length));
    this.spread.draw({ x: { domain }, y: { domain: [0, roundUp(Math.max(...counts, 4))] }, marks: [{ type: "bars", class: "series-0", data: counts.map((y, i) => ({ x0: domain[0] + i * width, x1: domain[0] + (i + 1) * width, y })), tips: counts.map((y, i) => ({ x: domain[0] + (i + 0.5) * width, y, lines: [`${y} partitions`, `error near ${formatNumber(domain[0] + (i + 0.5) * width, 3)}`] })) }, { type: "rule", at: mean, words: `mean ${formatNumber(mean, 3)}`, class: "chosen" }], table: () => ({ columns: ["partition", "mean test error"], rows: means.map((v, k) => [k + 1, v]) }) });
    this.line.textContent = means.length ? `${means.length} of ${state.repeats} partitions: the same ${state.size} examples give ${formatNumber(mean, 3)} ± ${formatNumber(sd, 2)} (standard deviation over partitions).` : "";
    return { k: state.k, done: means.length === state.repeats, cuts: means.length, sd: means.length > 1 ? sd : null, mean };
  }
}

const VIEWS = { threshold: Threshold, polynomials: Polynomials, folds: Folds };
