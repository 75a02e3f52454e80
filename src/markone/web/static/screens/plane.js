// Plane: points, students, and their learning steps.

import { Figure } from "../chart/figure.js";
import { exported } from "../offline/channel.js";
import { h, formatNumber, showToast } from "../dom.js";
import { PlaneEditor } from "./plane-edit.js";
import { studentHistory } from "./plane-history.js";
import { studentMarks } from "./plane-marks.js";
import { Player } from "./player.js";
import { Series } from "./plane-series.js";
import { View } from "./view.js";

const AHEAD = 600;

export default class Plane extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.player = new Player(this, ["1", "5", "20", "60", "300"], "20");
    this.proof = h("button", { type: "button", class: "verdict", "aria-pressed": "false", on: { click: () => this.toggleProof() } });
    this.editor = new PlaneEditor(this);
    this.further = h("button", { type: "button", text: "Go on to the end", hidden: true, title: "Train until converged, at most a million presentations", on: { click: () => shell.setState({ whole: true, t: this.end + 1 }) } });
    this.player.node.append(this.further);
    this.panels = h("div", { class: "panels" });
    this.seriesHost = h("div", { class: "series" });
    this.line = h("p", { class: "facts panels", "aria-live": "off" });
    stage.append(this.player.node, h("div", { class: "toolrow" }, this.editor.node, this.proof), this.panels, this.line, this.seriesHost);
    this.series = new Series(this.seriesHost);
    this.students = [];
    this.points = [];
    this.domain = [[-4, 4], [-3, 3]];
  }

  destroy() { super.destroy(); this.editor.detach(); this.series.destroy(); }

  /** Other examples or students need new histories; another t only redraws. */
  update(state, changed) {
    this.state = state;
    if (changed && changed.every((name) => name === "t")) return this.draw();
    if (changed && !changed.includes("t") && (state.t || state.whole)) { this.shell.setState({ t: 0, whole: false }, { redraw: false }); this.state = this.shell.state; }
    this.restart();
  }

  restart() {
    this.job?.stop();
    this.prepareFigures();
    this.shell.showMessage("");
    this.complete = false;
    this.waiting = true;
    this.player.wanted = null;
    // Placed points are shown at once; the old boundary stays until the new one arrives.
    if (this.state.points) this.points = this.state.points;
    let fresh = null;
    const show = () => { if (fresh) { this.students = fresh; fresh = null; } };
    this.job = this.shell.request({
      onFrame: (data, last) => {
        this.waiting = false;
        if (data.points) fresh = this.readHeader(data);
        if (data.separable !== undefined) { this.separable = data.separable; this.showVerdict(); }
        if (data.fewest) { this.separable.fewest = data.fewest; this.showVerdict(); }
        if (data.rows) { show(); data.rows.forEach((rows, k) => this.students[k].add(rows)); }
        if (last) show();
        this.complete = last;
        this.draw();
        this.player.catchUp();
        this.requestMore(fresh !== null);
      },
      onRefused: (sentence) => { show(); this.complete = true; this.waiting = false; this.shell.showMessage(sentence); this.draw(); },
    }, { ...this.state, t: 0 });
    this.draw();
  }

  readHeader(data) {
    this.points = data.points;
    this.domain = data.domain;
    this.separable = undefined;
    this.showVerdict();
    return data.students.map((one) => studentHistory(one, data.points.length));
  }

  /** Create the figures before their data arrive, so that the layout does not move. */
  prepareFigures() {
    const words = this.shell.screen.schema.properties.students.choices;
    const titles = this.state.students.map((name) => words[name]);
    if (this.figures.map((figure) => figure.options.title).join() === titles.join()) return;
    for (const figure of this.figures) figure.destroy();
    this.panels.dataset.count = this.line.dataset.count = String(titles.length);
    const many = titles.length > 1;
    this.figures = titles.map((title) => new Figure(this.panels, { title, ratio: many ? 0.8 : 0.75, small: many, x: { label: many ? "" : "ξ₁" }, y: { label: many ? "" : "ξ₂" }, ownKeys: true }));
    for (const figure of this.figures) this.editor.attach(figure);
    this.students = this.state.students.map((name, k) => studentHistory({ name, title: titles[k], line: true, gamma: null }, 0));
  }

  /** Presentations of one step: an epoch if all students learn by epochs. */
  get stride() { return this.students.some((one) => one.line) ? 1 : this.P; }
  get P() { return Math.max(1, this.points.length); }
  get t() { return this.state.t; }

  /** The last presentation computed for any student. */
  get end() { return Math.max(0, ...this.students.map((one) => (one.line ? one.rows.length - 1 : one.rows.length * this.P))); }

  requestMore(now = false) {
    if (!this.job?.running() || this.waiting || this.complete) return;
    if (now || this.end < this.t + AHEAD || this.students.some((one) => !one.rows.length) || this.separable?.fewest === null) { this.waiting = true; this.job.more(); }
  }

  /** Called by the player: go to presentation t. True if it is not the last. */
  go(t) {
    const most = this.shell.screen.schema.properties.t.maximum;
    const next = Math.max(0, Math.min(t, this.complete ? this.end : t, most));
    const reached = this.complete && next >= this.end;
    if (!this.complete && next > this.end) { this.requestMore(); this.shell.setState({ t: this.end }); return true; }
    this.shell.setState({ t: next });
    return !reached && next < most;
  }

  toggleProof() {
    this.showProof = !this.showProof;
    this.proof.setAttribute("aria-pressed", String(this.showProof));
    this.draw();
  }

  showVerdict() {
    const found = this.separable;
    const words = !this.points.length ? "No points yet" : found === undefined ? "Separable? Deciding" : !found ? "One class only" : found.answer === null ? "Separable? Not decided" : found.answer ? "Separable: yes, proof" : "Separable: no, proof";
    this.proof.textContent = words;
    this.proof.dataset.answer = found ? String(found.answer) : "none";
    this.proof.disabled = !found;
    const count = found?.prove.length, points = `${count} point${count === 1 ? "" : "s"}`;
    this.proof.title = !found ? "Place points of the other class with shift-click." : found.answer === null ? found.message
      : found.answer ? `Weights with E > 0 for all examples were found. Half the width of the widest gap of any line: ${formatNumber(found.widest)}. ${points[0].toUpperCase()}${points.slice(1)} bound the width of the gap: press to show them.` : `${points} with strengths x > 0 and Σ x S ξ = 0: no line classifies all points correctly. Press to show them.`;
    if (found?.fewest) this.proof.title += ` ${this.fewestErrors()}`;
  }

  /** Proven bounds on the errors of any line: one number if the minimum was found in time. */
  fewestErrors() {
    const [least, most] = this.separable.fewest, line = this.state.threshold ? "line" : "line through the origin";
    return least === most ? `No ${line} makes fewer than ${least} error${least === 1 ? "" : "s"}.` : `The fewest errors of a ${line}: at least ${least}, at most ${most}.`;
  }

  draw() {
    if (this.figures.length !== this.students.length) return;
    this.editor.points = this.points;
    const looks = this.students.map((student) => student.stateAt(this.t, this.P));
    this.figures.forEach((figure, k) => {
      const student = this.students[k], look = looks[k];
      const domain = { x: { domain: this.domain[0] }, y: { domain: this.domain[1] } };
      figure.draw({ ...domain, ...studentMarks(this, student, look) });
    });
    this.series.draw(this.students, this.t, this.P);
    this.line.replaceChildren(...looks.map((look, k) => h("span", { text: this.summaryLine(look, this.students[k]) })));
    const atEnd = this.complete && this.t >= this.end, finished = looks.every((look) => look.finished || !look.row);
    // A student that went on to its end has more presentations than rows.
    const t = looks.find((look) => look.row?.at)?.row.at ?? (this.complete ? Math.min(this.t, this.end) : this.t);
    this.further.hidden = !atEnd || finished || this.state.whole || Boolean(exported && !exported.start);
    this.player.show(t, this.P, atEnd && finished, atEnd && !finished);
    this.reportFacts(looks);
    this.requestMore();
  }

  /** The line below each panel. */
  summaryLine({ row, finished }, { title, rows }) {
    if (!row || (row.w && !row.norm)) return `${title}: nothing learned yet`;
    const stopped = this.complete && !finished && row === rows.at(-1);
    const updates = row.updates > 0 ? `, ${row.updates} update${row.updates === 1 ? "" : "s"}` : "";
    const gap = this.state.threshold && row.gap > 0 ? ` (half the visible gap: ${formatNumber(row.gap)})` : "";
    const kappa = row.kappa !== null && row.kappa !== undefined ? `, κ = ${formatNumber(row.kappa)}${gap}` : "";
    const fewest = this.separable?.fewest && row.errors ? ` · ${this.fewestErrors()}` : "";
    return `${title}: ${row.errors} of ${this.points.length} wrong${updates}${kappa}${finished ? ", done" : stopped ? `, stopped after ${row.at ?? Math.min(this.t, this.end)} presentations, not converged` : ""}${fewest}`;
  }

  reportFacts(looks) {
    const [least, most] = this.separable?.fewest ?? [null, null];
    const facts = { P: this.points.length, t: this.t, plus: this.points.filter((p) => p[2] > 0).length, minus: this.points.filter((p) => p[2] < 0).length, separable: this.separable?.answer ?? null, fewest: least === most ? least : null, own: this.state.points !== null, proof: Boolean(this.showProof) };
    looks.forEach((look, k) => {
      const name = this.students[k].name;
      for (const key of ["errors", "kappa", "gap", "upper", "norm", "updates"]) facts[`${name}.${key}`] = look.row?.[key] ?? null;
      facts[`${name}.done`] = look.finished;
      facts[`${name}.support`] = look.strengths ? look.strengths.filter((x) => x > 0).length : null;
    });
    this.shell.reportFacts(facts);
  }

  /** Use points placed by hand. */
  setPoints(points) {
    if (points.length > 500) return showToast("The plane is limited to 500 points.");
    this.player.pause();
    this.shell.setState({ points, t: 0 });
  }
}
