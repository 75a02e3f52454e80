// Runs: a declared experiment, its progress and its figure.

import { shapeName } from "../chart/marks/dot.js";
import { extent } from "../chart/scales.js";
import { h, formatNumber, renderText } from "../dom.js";
import { Draft } from "../draft.js";
import { pageFrame } from "../upload.js";
import { pointMarks, makeProgress, tableRows, theoryMark } from "./sweep.js";
import { View } from "./view.js";

/** A duration with a suitable unit. */
const formatDuration = (seconds) => (seconds < 90 ? `${formatNumber(seconds, 2)} s` : seconds < 5400 ? `${formatNumber(seconds / 60, 2)} min` : `${formatNumber(seconds / 3600, 2)} h`);

export default class Runs extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.heading = h("h2", { class: "run-title" });
    this.first = h("p", { class: "read-first" });
    this.start = h("button", { type: "button", class: "primary", text: "Start", on: { click: () => this.toggle() } });
    this.page = h("button", { type: "button", text: "Report page", "aria-pressed": "false", on: { click: () => shell.setState({ report: !this.state.report }) } });
    this.progress = makeProgress();
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    stage.append(this.heading, this.first, h("div", { class: "player" }, this.start, this.page, this.progress.node), this.line);
    this.which = h("select", { id: "which-figure", on: { change: () => shell.setState({ figure: this.which.selectedIndex }) } });
    this.choice = h("div", { class: "editor choice", hidden: true }, h("label", { for: "which-figure", text: "Figure" }), this.which);
    this.empty = h("p", { class: "veil", hidden: true });
    stage.append(this.choice, this.empty);
    this.figure = this.addFigure(stage, { title: "Figure", ratio: 0.56, x: { label: "" }, y: { label: "" } });
    this.report = h("div");
    this.claims = h("ul", { class: "claims" });
    this.draft = new Draft("The declaration as TOML", (text, answer) => this.checkDraft(text, answer));
    stage.append(this.report, h("h2", { text: "Claims" }), this.claims, h("details", { class: "declaration" }, h("summary", { text: "Open as TOML: edit it; errors are shown beside their lines" }), this.draft.node));
  }

  destroy() { super.destroy(); this.checking?.stop(); }

  update(state, changed) {
    this.state = state;
    this.running = false;
    if (!changed || changed.includes("experiment")) this.data = {};
    this.data = { ...this.data, beside: null, report: null, paused: null };
    if (changed?.includes("experiment") && state.figure) { this.shell.setState({ figure: 0 }, { redraw: false }); this.state = this.shell.state; }
    this.requestRun(false);
  }

  toggle() {
    this.running = !this.running;
    this.requestRun(this.running);
  }

  requestRun(go) {
    this.requestFrames({ ...this.state, go, draft: null }, (data, last) => {
      Object.assign(this.data, data);
      if (last) this.running = false;
      this.draw();
    }, (sentence) => { this.running = false; this.shell.showMessage(sentence); this.draw(); });
  }

  /** Check the draft as `markone check` does. */
  checkDraft(draft, answer) {
    this.checking?.stop();
    this.checking = this.shell.request({ onFrame: (data) => answer(data.problems) }, { ...this.state, go: false, draft });
  }

  draw() {
    const { data } = this;
    this.heading.textContent = data.title ?? "";
    this.first.textContent = data.read_first ?? "";
    if (data.text && this.shown !== data.text) { this.shown = data.text; this.draft.value = data.text; }
    this.claims.replaceChildren(...(data.claims ?? []).map((text) => h("li", { text })));
    const complete = data.of > 0 && data.done >= data.of;
    this.start.textContent = this.running ? "Pause" : data.done > 0 ? "Continue" : "Start";
    this.start.disabled = complete && !this.running;
    this.page.disabled = !data.done;
    this.page.setAttribute("aria-pressed", String(this.state.report));
    if (this.key !== data.report) { this.key = data.report; this.report.replaceChildren(...(data.report ? [pageFrame(data.report, "The report of this run")] : [])); }
    if (data.of) this.progress.show(data.done, data.of, "tasks");
    this.line.replaceChildren(...renderText(complete ? `Complete${data.failed ? `, ${data.failed} tasks failed` : ""}.` : data.paused && !this.running ? data.paused : data.seconds ? `${data.done ? "The rest takes" : "It takes"} about ${formatDuration(data.seconds)} on one core.` : ""));
    this.drawChoice(data.figures ?? []);
    this.empty.hidden = Boolean(data.picture) || !data.of;
    this.empty.textContent = data.done ? "This experiment has tables and pictures only: see its report page." : "Nothing has been computed yet. Press Start: the figure is updated while it runs.";
    this.drawFigure(data.picture);
    this.shell.reportFacts({ done: complete, tasks: data.done ?? 0 });
  }

  drawChoice(names) {
    const text = JSON.stringify(names);
    this.choice.hidden = names.length < 2;
    if (text !== this.names) this.which.replaceChildren(...names.map((name) => h("option", { text: name.replace(/_/g, " ") })));
    this.names = text;
    this.which.selectedIndex = Math.min(this.state.figure, names.length - 1);
  }

  drawFigure(picture) {
    this.figure.node.hidden = !picture;
    if (!picture) return;
    const other = this.data.beside?.lines.map((one) => ({ ...one, title: `${this.state.beside}: ${one.title}` })) ?? [];
    const lines = [...picture.lines, ...other], titles = lines.map((one) => one.title);
    const xs = lines.flatMap((one) => one.points.map((p) => p[0])), ys = lines.flatMap((one) => [...one.points.map((p) => p[1]), ...one.theory.map((p) => p[1])]).filter((v) => Number.isFinite(v) && (!picture.logy || v > 0));
    const ends = (values, log) => (log ? [Math.min(...values) * 0.9, Math.max(...values) * 1.1] : extent(values));
    this.figure.draw({
      title: picture.name.replace(/_/g, " "),
      x: { label: picture.xlabel || picture.x, domain: xs.length ? ends(xs, picture.logx) : [0, 1], log: picture.logx && xs.length > 0 },
      y: { label: picture.ylabel, domain: ys.length ? ends(ys, picture.logy) : [0, 1], log: picture.logy && ys.length > 0 },
      marks: [...lines.map((one, k) => theoryMark(one.theory, k % 7)), ...lines.map((one, k) => pointMarks(one.points, k % 7, one.title))],
      legend: titles.slice(0, 8).map((words, k) => ({ words, shape: "line", marker: shapeName(k % 7), class: `series-${k % 7}` })),
      table: () => ({ columns: ["line", picture.x, "mean", "error", "repeats", "theory"], rows: tableRows(titles, lines.map((one) => one.points), lines.map((one) => one.theory)) }),
    });
  }
}
