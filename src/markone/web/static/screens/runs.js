// Runs: a declared experiment, its progress and its figure while it grows.

import { Figure } from "../chart/figure.js";
import { extent } from "../chart/scales.js";
import { h, number } from "../dom.js";
import { pageFrame } from "../upload.js";
import { dots, progress, rows, theory } from "./sweep.js";

export default class Runs {
  constructor(shell, stage) {
    this.shell = shell;
    this.heading = h("h2", { class: "run-title" });
    this.first = h("p", { class: "read-first" });
    this.start = h("button", { type: "button", class: "primary", text: "Start", on: { click: () => this.toggle() } });
    this.page = h("button", { type: "button", text: "Report page", "aria-pressed": "false", on: { click: () => shell.set({ report: !this.state.report }) } });
    this.progress = progress();
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    stage.append(this.heading, this.first, h("div", { class: "player" }, this.start, this.page, this.progress.node), this.line);
    this.figure = new Figure(stage, { title: "Figure", ratio: 0.56, x: { label: "" }, y: { label: "" } });
    this.report = h("div");
    this.claims = h("ul", { class: "claims" });
    this.text = h("textarea", { class: "toml", rows: "16", spellcheck: "false", "aria-label": "The declaration as TOML", on: { input: () => this.check() } });
    this.problems = h("ul", { class: "problems", "aria-live": "polite" });
    stage.append(this.report, h("h2", { text: "Claims" }), this.claims, h("details", { class: "declaration" }, h("summary", { text: "Open as TOML: edit it, errors are said as you write" }), this.text, this.problems));
  }

  destroy() { this.job?.stop(); this.checking?.stop(); this.figure.destroy(); }

  update(state, changed) {
    this.state = state;
    this.job?.stop();
    this.running = false;
    this.shell.say("");
    if (!changed || changed.includes("experiment")) this.data = {};
    this.data = { ...this.data, beside: null, report: null };
    this.look(false);
  }

  toggle() {
    this.job?.stop();
    if (this.running) { this.running = false; this.look(false); } else { this.running = true; this.look(true); }
  }

  look(go) {
    this.job = this.shell.request({
      onFrame: (data, last) => {
        Object.assign(this.data, data);
        if (last) this.running = false;
        this.draw();
        if (!last) requestAnimationFrame(() => this.job.more());
      },
      onRefused: (sentence) => { this.running = false; this.shell.say(sentence); this.draw(); },
    }, { ...this.state, go, draft: null });
  }

  /** What is wrong with the draft, a moment after the last key. */
  check() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.checking?.stop();
      this.checking = this.shell.request({ onFrame: (data) => this.problems.replaceChildren(...data.problems.map((one) => this.problem(one))) }, { ...this.state, go: false, draft: this.text.value });
    }, 300);
  }

  /** With the number of its line, which it marks when it is pressed. */
  problem({ text, line }) {
    const mark = () => {
      const lines = this.text.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.text.focus();
      this.text.setSelectionRange(from, from + lines[line - 1].length);
      this.text.scrollTop = Math.max(0, (line - 6) * (this.text.scrollHeight / lines.length));
    };
    return h("li", {}, line ? h("button", { type: "button", class: "quiet line", text: `line ${line}`, on: { click: mark } }) : null, text);
  }

  draw() {
    const { data } = this;
    this.heading.textContent = data.title ?? "";
    this.first.textContent = data.read_first ?? "";
    if (data.text && this.shown !== data.text) { this.shown = data.text; this.text.value = data.text; this.problems.replaceChildren(); }
    this.claims.replaceChildren(...(data.claims ?? []).map((text) => h("li", { text })));
    const complete = data.of > 0 && data.done >= data.of;
    this.start.textContent = this.running ? "Pause" : data.done > 0 ? "Continue" : "Start";
    this.start.disabled = complete && !this.running;
    this.page.disabled = !data.done;
    this.page.setAttribute("aria-pressed", String(this.state.report));
    if (this.key !== data.report) { this.key = data.report; this.report.replaceChildren(...(data.report ? [pageFrame(data.report, "The report of this run")] : [])); }
    if (data.of) this.progress.show(data.done, data.of, "tasks");
    this.line.textContent = complete ? `All is stored${data.failed ? `, ${data.failed} tasks failed` : ""}.` : data.seconds ? `About ${number(data.seconds, 2)} s of one core are missing.` : "";
    this.drawFigure(data.picture);
    this.shell.facts({ done: complete, tasks: data.done ?? 0 });
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
      marks: [...lines.map((one, k) => theory(one.theory, k % 7)), ...lines.map((one, k) => dots(one.points, k % 7, one.title))],
      legend: titles.slice(0, 8).map((words, k) => ({ words, shape: "line", class: `series-${k % 7}` })),
      table: () => ({ columns: ["line", picture.x, "mean", "error", "repeats", "theory"], rows: rows(titles, lines.map((one) => one.points), lines.map((one) => one.theory)) }),
    });
  }
}
