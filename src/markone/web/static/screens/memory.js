// Memory: a grid of neurons, the stored patterns, and the recall of one of them.

import { gridPicture } from "../chart/marks/grid.js";
import { extent } from "../chart/scales.js";
import { h, formatNumber, s } from "../dom.js";
import { Player } from "./player.js";
import { View } from "./view.js";

const toRows = (flat, side) => Array.from({ length: side }, (_, i) => flat.slice(i * side, (i + 1) * side));
const toShares = (flat, side) => toRows(flat.map((v) => (v > 0 ? 1 : 0)), side);

/** +-1 as hexadecimal digits, first bit first. */
function packBits(state) {
  let text = "";
  for (let k = 0; k < state.length; k += 4) text += parseInt([0, 1, 2, 3].map((i) => (state[k + i] > 0 ? "1" : "0")).join(""), 2).toString(16);
  return text;
}

const unpackBits = (bits, N) => [...bits].flatMap((digit) => [8, 4, 2, 1].map((bit) => (parseInt(digit, 16) & bit ? 1 : -1))).slice(0, N);

export default class Memory extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.player = new Player(this, ["1", "2", "4"], "2", "sweeps");
    this.store = h("button", { type: "button", text: "Store this pattern", title: "Add what the grid shows to the stored patterns", on: { click: () => this.storePattern() } });
    this.forget = h("button", { type: "button", text: "Remove drawn ones", on: { click: () => this.shell.setState({ drawn: [], start: null, which: 0, t: 0 }) } });
    this.blank = h("button", { type: "button", text: "Blank grid", title: "All neurons off, to draw on", on: { click: () => this.setStart(this.currentState().map(() => -1)) } });
    this.spoiled = h("button", { type: "button", text: "Start from a stored one", on: { click: () => this.shell.setState({ start: null, t: 0 }) } });
    const main = h("div", { class: "pairwise" });
    stage.append(this.player.node, h("div", { class: "toolrow" }, h("div", { class: "editor" }, this.spoiled, this.blank, this.store, this.forget), h("span", { class: "quietly", text: "Draw on the grid" })), main);
    this.figure = this.addFigure(main, { title: "Neurons", ratio: 1, bare: true, ownKeys: true });
    this.figure.svg.classList.add("editable");
    this.enableDrawing();
    this.figure.svg.addEventListener("keydown", (event) => this.handleKey(event));
    this.strip = h("div", { class: "strip", role: "group", "aria-label": "Stored patterns" });
    const side = h("div", { class: "chart" }, h("div", { class: "caption", text: "Stored patterns" }), h("p", { class: "help", text: "Choose the one to start from. A frame marks the one that the state is most similar to." }), this.strip);
    main.append(side);
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    const below = h("div", { class: "series" });
    stage.append(this.line, below);
    this.energy = this.addFigure(below, { title: "Energy per neuron", ratio: 0.72, small: true, x: { label: "sweeps" }, y: { label: "H/N" } });
    this.overlap = this.addFigure(below, { title: "Overlap", ratio: 0.72, small: true, x: { label: "sweeps" }, y: { label: "m", domain: [-0.4, 1.05] } });
    this.load = this.addFigure(below, { title: "Load and capacity", ratio: 0.72, small: true, x: { label: "α = P/N" }, y: { label: "m", domain: [0, 1.05] } });
  }

  get t() { return this.state.t; }
  get P() { return 1; }
  get stride() { return 1; }
  get end() { return (this.data.states?.length ?? 1) - 1; }

  go(t) {
    const next = Math.max(0, Math.min(t, this.end));
    this.shell.setState({ t: next });
    return !this.data.states || next < this.end;
  }

  update(state, changed) {
    this.state = state;
    if (changed?.every((name) => name === "t") && this.data.start) return this.draw();
    if (changed && state.t && !changed.includes("t")) { this.shell.setState({ t: 0 }, { redraw: false }); this.state = this.shell.state; }
    // Patterns drawn on another grid are discarded.
    if (changed?.some((name) => name === "side" || name === "source") && (state.start !== null || state.drawn.length)) { this.shell.setState({ start: null, drawn: [] }, { redraw: false }); this.state = this.shell.state; }
    this.player.wanted = null;
    // A drawn pattern is shown at once; its recall is computed.
    const drawn = state.start !== null && this.data.patterns && changed?.every((name) => name === "start" || name === "t");
    this.data = drawn ? { ...this.data, start: unpackBits(state.start, this.data.side ** 2), states: undefined, overlaps: undefined, energy: undefined } : {};
    this.requestFrames({ ...this.state, t: 0 }, (data) => { Object.assign(this.data, data); this.draw(); this.player.catchUp(); });
    if (drawn) this.draw();
  }

  currentState() { return this.data.states?.[Math.min(this.t, this.end)] ?? this.data.start; }

  /** Draw cells with the pointer; a stroke that starts on a full cell erases. */
  enableDrawing() {
    const { svg } = this.figure;
    let pen = null;
    const touch = (event) => {
      const at = this.figure.dataPoint(event);
      if (!at || !this.data.start) return;
      const { side } = this.data, k = Math.min(side - 1, Math.floor((1 - at.y) * side)) * side + Math.min(side - 1, Math.floor(at.x * side));
      pen ??= { ink: -this.currentState()[k], cells: this.currentState().slice() };
      if (pen.cells[k] === pen.ink) return;
      pen.cells[k] = pen.ink;
      this.setStart(pen.cells.slice());
    };
    svg.addEventListener("pointerdown", (event) => { if (!event.button) { svg.setPointerCapture(event.pointerId); svg.focus({ preventScroll: true }); pen = null; touch(event); } });
    svg.addEventListener("pointermove", (event) => { if (pen) for (const one of event.getCoalescedEvents?.() ?? [event]) touch(one); });
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { pen = null; });
  }

  /** Set the initial state of the recall. */
  setStart(cells) {
    this.player.pause();
    this.shell.setState({ start: packBits(cells), t: 0 });
  }

  flipCell(i, j) {
    const { side } = this.data, next = this.currentState().slice();
    next[i * side + j] *= -1;
    this.setStart(next);
  }

  handleKey(event) {
    const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key], { side } = this.data;
    this.cell ??= [0, 0];
    if (way) { event.preventDefault(); this.cell = this.cell.map((v, k) => Math.max(0, Math.min(side - 1, v + way[k]))); this.showCell(); }
    if (event.key === "Enter") { event.preventDefault(); this.flipCell(...this.cell); this.showCell(); }
  }

  showCell() {
    const { sx, sy } = this.figure, { side } = this.data, [i, j] = this.cell;
    this.figure.over.replaceChildren(s("rect", { class: "cursor-cell", x: sx(j / side), y: sy(1 - i / side), width: sx(1 / side) - sx(0), height: sy(0) - sy(1 / side) }));
  }

  storePattern() { if (this.state.drawn.length < 20) this.shell.setState({ drawn: [...this.state.drawn, packBits(this.currentState())], t: 0 }); }

  draw() {
    const { data } = this, { side } = data;
    const now = this.currentState(), overlaps = data.overlaps?.[Math.min(this.t, this.end)] ?? [];
    const best = overlaps.length ? overlaps.indexOf(Math.max(...overlaps)) : -1;
    this.figure.draw({ title: `Neurons, ${side} × ${side}`, marks: [{ type: "grid", rows: toShares(now, side), box: [[0, 1], [0, 1]], kind: "share", class: "neurons", gap: 1, paper: true }], table: () => ({ columns: ["row", ...Array.from({ length: side }, (_, k) => String(k + 1))], rows: toRows(now, side).map((row, i) => [i + 1, ...row]) }) });
    this.drawStrip(best);
    this.drawSeries();
    const m = overlaps[data.which];
    this.line.textContent = data.states ? `Overlap with pattern ${data.which + 1}: ${formatNumber(m, 3)}.${this.t >= this.end ? ` Ended: ${data.status}.` : ""} ${data.stable} of ${data.patterns.length} stored patterns are fixed points.` : "";
    this.player.show(Math.min(this.t, this.end), 1, this.t >= this.end);
    this.forget.hidden = !this.state.drawn.length;
    this.shell.reportFacts({ load: data.load, P: data.patterns.length, m: m ?? null, final: data.overlaps?.at(-1)?.[data.which] ?? null, best: best >= 0 ? overlaps[best] : null, ended: this.t >= this.end && Boolean(data.states), stable: data.stable ?? null, drawn: this.state.drawn.length, own: this.state.start !== null, couplings: this.state.couplings, temperature: this.state.temperature, source: this.state.source });
  }

  drawStrip(best) {
    const { patterns, side, which } = this.data, key = JSON.stringify([patterns.length, side, this.state.seed, this.state.source, this.state.drawn]);
    if (key !== this.stripKey) {
      this.stripKey = key;
      this.strip.replaceChildren(...patterns.map((pattern, k) => h("button", { type: "button", class: "thumb", "aria-label": `Pattern ${k + 1}`, on: { click: () => this.shell.setState({ which: k, start: null, t: 0 }) } }, gridPicture(toShares(pattern, side)))));
    }
    [...this.strip.children].forEach((node, k) => { node.setAttribute("aria-pressed", String(k === which)); node.classList.toggle("nearest", k === best); });
  }

  drawSeries() {
    const { energy = [], overlaps = [], theory = [], capacity, load, which } = this.data, upTo = Math.min(this.t, this.end) + 1;
    const x = { domain: [0, Math.max(5, this.end)] };
    const line = (values) => values.slice(0, upTo).map((v, k) => [k, v]);
    const tips = (data, words) => data.map(([a, b]) => ({ x: a, y: b, lines: [words, `after ${a} sweeps: ${formatNumber(b)}`] }));
    const e = line(energy);
    this.energy.draw({ x, y: { domain: extent(energy, { least: 0.1 }) }, marks: [{ type: "line", data: e, class: "series-0", curve: false, tips: tips(e, "energy") }, { type: "dot", r: 3, data: e.slice(-1).map(([a, b]) => ({ x: a, y: b })), class: "series-0" }], table: () => ({ columns: ["sweep", "energy"], rows: energy.map((v, k) => [k, v]) }) });
    const mine = line(overlaps.map((row) => row[which]));
    const others = this.data.patterns.map((_, k) => k).filter((k) => k !== which).slice(0, 30).map((k) => ({ type: "line", data: line(overlaps.map((row) => row[k])), class: "series-6 faint", curve: false }));
    this.overlap.draw({ x, marks: [...others, { type: "line", data: mine, class: "series-0", curve: false, tips: tips(mine, `pattern ${which + 1}`) }, { type: "dot", r: 3, data: mine.slice(-1).map(([a, b]) => ({ x: a, y: b })), class: "series-0" }], table: () => ({ columns: ["sweep", ...this.data.patterns.map((_, k) => `m${k + 1}`)], rows: overlaps.map((row, k) => [k, ...row]) }) });
    const final = overlaps.at(-1)?.[which];
    this.load.draw({
      x: { domain: [0, Math.max(0.17, load * 1.15)] },
      marks: [{ type: "rule", at: capacity ?? NaN, words: "α_c = 0.138", low: (overlaps.at(-1)?.[which] ?? 1) > 0.4 }, { type: "line", data: theory, class: "series-0" }, final === undefined ? null : { type: "dot", r: 5, shape: "diamond", data: [{ x: load, y: Math.max(0, final) }], class: "series-1", tips: [{ x: load, y: Math.max(0, final), lines: ["this memory", `α = ${formatNumber(load, 3)}, m = ${formatNumber(final, 3)}`] }] }],
      table: () => ({ columns: ["alpha", "theory m"], rows: theory }),
    });
  }
}
