// Version space: the circle or sphere of students, cut by examples.

import { extent } from "../chart/scales.js";
import { h, formatNumber } from "../dom.js";
import { View } from "./view.js";

// Size and half width of the grid on which the border of version space is traced.
const PIXELS = 90, REACH = 1.05;
const dotProduct = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
const vectorLength = (a) => Math.sqrt(dotProduct(a, a));
const normalize = (a) => a.map((value) => value / vectorLength(a));

/** Rows: to the right, upwards, towards the viewer. */
function viewBasis(around, above) {
  const [a, b] = [(around * Math.PI) / 180, (above * Math.PI) / 180];
  const front = [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)];
  const right = [-Math.sin(a), Math.cos(a), 0];
  const up = [-Math.sin(b) * Math.cos(a), -Math.sin(b) * Math.sin(a), Math.cos(b)];
  return [right, up, front];
}

/** The visible half of the great circle of students across a direction. */
function greatCircle(normal, view) {
  const n = normalize(view.map((row) => dotProduct(row, normal)));
  const flat = Math.hypot(n[0], n[1]);
  const first = flat > 1e-9 ? [-n[1] / flat, n[0] / flat, 0] : [1, 0, 0];
  let second = [n[1] * first[2] - n[2] * first[1], n[2] * first[0] - n[0] * first[2], n[0] * first[1] - n[1] * first[0]];
  if (second[2] < 0) second = second.map((value) => -value);
  return Array.from({ length: 61 }, (_, k) => { const t = (Math.PI * k) / 60; return [Math.cos(t) * first[0] + Math.sin(t) * second[0], Math.cos(t) * first[1] + Math.sin(t) * second[1]]; });
}

const circlePoints = (r = 1) => Array.from({ length: 121 }, (_, k) => [r * Math.cos((Math.PI * k) / 60), r * Math.sin((Math.PI * k) / 60)]);

export default class Version extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.question = h("p", { class: "question", "aria-live": "polite" });
    this.reveal = h("button", { type: "button", class: "primary", text: "Show its label", on: { click: () => this.shell.setState({ P: Math.min(12, this.state.P + 1) }) } });
    this.back = h("button", { type: "button", text: "Take one back", on: { click: () => this.shell.setState({ P: Math.max(0, this.state.P - 1) }) } });
    const host = h("div", { class: "pairwise wide" });
    stage.append(h("div", { class: "toolrow" }, this.question, h("div", { class: "editor" }, this.back, this.reveal)), host);
    this.figure = this.addFigure(host, { title: "Students without errors", ratio: 1, bare: true, x: { domain: [-1.14, 1.14] }, y: { domain: [-1.14, 1.14] }, ownKeys: true });
    this.volume = this.addFigure(host, { title: "Volume left", ratio: 0.95, x: { label: "examples", domain: [0, 12] }, y: { label: "ln of the volume" } });
    this.line = h("p", { class: "facts" });
    stage.append(this.line);
    this.enableTurning();
  }

  /** Turn the sphere by dragging or with arrow keys. */
  enableTurning() {
    const { svg } = this.figure;
    let held = null;
    svg.classList.add("turnable");
    const turn = (da, db) => {
      const around = ((this.state.around + da + 540) % 360) - 180;
      this.shell.setState({ around: Math.round(around), above: Math.round(Math.max(-90, Math.min(90, this.state.above + db))) });
    };
    svg.addEventListener("pointerdown", (event) => { if (this.state.dimension === 3) { held = [event.clientX, event.clientY]; svg.setPointerCapture(event.pointerId); } });
    svg.addEventListener("pointermove", (event) => { if (held) { turn(-(event.clientX - held[0]) * 0.5, (event.clientY - held[1]) * 0.5); held = [event.clientX, event.clientY]; } });
    svg.addEventListener("pointerup", () => { held = null; });
    svg.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] }[event.key];
      if (way && this.state.dimension === 3) { event.preventDefault(); turn(...way); }
    });
  }

  update(state, changed) {
    this.state = state;
    if (changed?.every((name) => ["around", "above", "show_teacher"].includes(name)) && this.data.xi) return this.draw();
    this.data = { students: [], volume: [] };
    this.requestFrames({ ...state, around: 0, above: 0 });
  }

  draw() {
    const { data, state } = this;
    const three = state.dimension === 3, view = three ? viewBasis(state.around, state.above) : null;
    const at = (w, r = 1) => (three ? [dotProduct(view[0], w), dotProduct(view[1], w), dotProduct(view[2], w)] : [r * w[0], r * w[1], 1]);
    const known = data.xi.slice(0, state.P), next = data.xi[state.P];
    const front = (w) => at(w)[2] >= 0;
    /** @type {any[]} */
    const marks = three ? this.sphereMarks(view, known) : this.circleMarks(known);
    known.forEach((one, mu) => marks.push({ type: "line", curve: false, class: "unit", data: three ? greatCircle(one, view) : [[-1.12 * normalize(one)[1], 1.12 * normalize(one)[0]], [1.12 * normalize(one)[1], -1.12 * normalize(one)[0]]], tips: [exampleTip(one, mu)] }));
    if (next) marks.push({ type: "line", curve: false, class: "next", data: three ? greatCircle(next, view) : [[-1.18 * normalize(next)[1], 1.18 * normalize(next)[0]], [1.18 * normalize(next)[1], -1.18 * normalize(next)[0]]] });
    const place = (w, words, extra) => { const [x, y] = at(w, 1); return { x, y, ...extra, tip: { x, y, lines: [words, `(${w.map((v) => formatNumber(v, 3)).join(", ")})`] } }; };
    marks.push({ type: "dot", r: 2.4, class: "gibbs", data: data.students.filter(front).map((w) => { const [x, y] = at(w, 1.05); return { x: three ? x : 1.06 * x / 1.05, y: three ? y : 1.06 * y / 1.05 }; }) });
    const special = [];
    if (data.best && front(data.best)) special.push(place(data.best, "most stable student", { shape: "diamond", class: "best", r: 6 }));
    if (data.centre && front(data.centre)) special.push(place(data.centre, "centre of mass, close to Bayes", { shape: "triangle", class: "centre", r: 6 }));
    if (state.show_teacher && front(data.teacher)) special.push(place(data.teacher, "teacher", { shape: "star", class: "teacher", r: 7 }));
    marks.push({ type: "dot", class: "special", data: special, tips: special.map((one) => one.tip) });
    this.figure.draw({
      marks,
      legend: [{ words: "teacher", shape: "star", class: "teacher", group: "special" }, { words: "centre of mass", shape: "triangle", class: "centre", group: "special" }, { words: "most stable", shape: "diamond", class: "best", group: "special" }, { words: "next example", shape: "line", class: "next" }],
      table: () => ({ columns: ["what", ...["x", "y", "z"].slice(0, state.dimension)], rows: [["teacher", ...data.teacher], ...(data.centre ? [["centre of mass", ...data.centre]] : []), ...(data.best ? [["most stable", ...data.best]] : []), ...data.students.map((w) => ["Gibbs student", ...w])] }),
    });
    this.drawVolume();
    this.describeNext();
  }

  sphereMarks(view, known) {
    const S = this.data.S, values = [];
    for (let j = 0; j < PIXELS; j += 1) for (let i = 0; i < PIXELS; i += 1) {
      const x = REACH * (-1 + (2 * i) / (PIXELS - 1)), y = REACH * (-1 + (2 * j) / (PIXELS - 1)), r = Math.max(1, Math.hypot(x, y));
      const z = Math.sqrt(Math.max(0, 1 - x * x - y * y)), w = [0, 1, 2].map((k) => (x * view[0][k] + y * view[1][k]) / r + z * view[2][k]);
      values.push(Math.min(1, ...known.map((one, mu) => (S[mu] * dotProduct(one, w)) / vectorLength(one))));
    }
    const box = [[-REACH, REACH], [-REACH, REACH]];
    return [{ type: "band", polygon: circlePoints(), class: "ball" }, { type: "contour", values, grid: [PIXELS, PIXELS], box, disc: true, class: "space" }, { type: "line", data: circlePoints(), class: "outline", curve: false }];
  }

  circleMarks(known) {
    const S = this.data.S, pieces = [];
    for (let k = 0; k < 720; k += 1) { const t = (Math.PI * k) / 360, w = [Math.cos(t), Math.sin(t)]; pieces.push(known.every((one, mu) => S[mu] * dotProduct(one, w) > 0) ? w : [null, null]); }
    return [{ type: "line", data: circlePoints(), class: "outline", curve: false }, { type: "line", data: [...pieces, pieces[0]], class: "arc", curve: false }];
  }

  drawVolume() {
    const { volume } = this.data;
    const y = { domain: extent(volume.map((p) => p[1]), { zero: true, least: 1 }) };
    this.volume.draw({
      y,
      marks: [{ type: "line", data: volume, class: "series-0", curve: false }, { type: "dot", data: volume.map(([a, b]) => ({ x: a, y: b })), class: "series-0", tips: volume.map(([a, b]) => ({ x: a, y: b, lines: [`after ${a} examples`, `volume ${formatNumber(Math.exp(b), 3)} of all`] })) }],
      table: () => ({ columns: ["examples", "log_volume"], rows: volume }),
    });
  }

  describeNext() {
    const { data, state } = this, cut = data.cut;
    this.reveal.disabled = state.P >= 12;
    this.back.disabled = state.P === 0;
    this.question.textContent = !cut ? "Computing the cut of the next example…" : cut.informative === false ? "The next example (dashed) is not informative: its label is determined." : `The next example (dashed) is informative: ${formatNumber(100 * cut.share, 3)} % of version space predict +1, ${formatNumber(100 * (1 - cut.share), 3)} % predict −1.`;
    this.line.textContent = data.errors ? `Expected error of a Gibbs student ${formatNumber(data.errors.gibbs, 3)}, of the centre of mass ${formatNumber(data.errors.bayes, 3)}` : "";
    this.shell.reportFacts({ P: state.P, informative: cut?.informative ?? null, share: cut?.share ?? null, telling: state.telling, volume: data.volume.at(-1) ? Math.exp(data.volume.at(-1)[1]) : null, gibbs: data.errors?.gibbs ?? null, bayes: data.errors?.bayes ?? null, dimension: state.dimension });
  }
}

function exampleTip(one, mu) { const n = normalize(one); return { x: n[0], y: n[1], lines: [`Example ${mu + 1}`] }; }
