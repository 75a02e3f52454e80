// Plane: points, students, and the steps they take.

import { Figure } from "../chart/figure.js";
import { h, number, toast } from "../dom.js";
import { PlaneEditor } from "./plane-edit.js";
import { history } from "./plane-history.js";
import { marksOf } from "./plane-marks.js";
import { Player } from "./player.js";
import { Series } from "./plane-series.js";

const AHEAD = 600;

export default class Plane {
  constructor(shell, stage) {
    this.shell = shell;
    this.players = new Player(this, ["1", "5", "20", "60", "300"], "20");
    this.proof = h("button", { type: "button", class: "verdict", "aria-pressed": "false", on: { click: () => this.toggleProof() } });
    this.editor = new PlaneEditor(this);
    this.panels = h("div", { class: "panels" });
    this.seriesHost = h("div", { class: "series" });
    this.line = h("p", { class: "facts panels", "aria-live": "off" });
    stage.append(this.players.node, h("div", { class: "toolrow" }, this.editor.node, this.proof), this.panels, this.line, this.seriesHost);
    this.series = new Series(this.seriesHost);
    this.figures = [];
    this.students = [];
    this.points = [];
    this.domain = [[-4, 4], [-3, 3]];
  }

  destroy() { this.job?.stop(); this.players.pause(); this.editor.detach(); for (const figure of this.figures) figure.destroy(); this.series.destroy(); }

  /** Other examples or students need other histories; another t only another look. */
  update(state, changed) {
    this.state = state;
    if (changed && changed.every((name) => name === "t")) return this.draw();
    if (changed && !changed.includes("t") && state.t) { this.shell.set({ t: 0 }, { redraw: false }); this.state = this.shell.state; }
    this.restart();
  }

  restart() {
    this.job?.stop();
    this.prepare();
    this.shell.say("");
    this.complete = false;
    this.waiting = true;
    // Points of a person are there at once; the old boundary stays until the new one comes.
    if (this.state.points) this.points = this.state.points;
    let fresh = null;
    const show = () => { if (fresh) { this.students = fresh; fresh = null; } };
    this.job = this.shell.request({
      onFrame: (data, last) => {
        this.waiting = false;
        if (data.points) fresh = this.begin(data);
        if (data.rows) { show(); data.rows.forEach((rows, k) => this.students[k].add(rows)); }
        if (last) show();
        this.complete = last;
        this.draw();
        this.ask(fresh !== null);
      },
      onRefused: (sentence) => { show(); this.complete = true; this.waiting = false; this.shell.say(sentence); this.draw(); },
    }, { ...this.state, t: 0 });
    this.draw();
  }

  begin(data) {
    this.points = data.points;
    this.domain = data.domain;
    this.separable = data.separable;
    this.showVerdict();
    return data.students.map((one) => history(one, data.points.length));
  }

  /** Figures are there before their data: nothing moves when these come. */
  prepare() {
    const words = this.shell.screen.schema.properties.students.choices;
    const titles = this.state.students.map((name) => words[name]);
    if (this.figures.map((figure) => figure.options.title).join() === titles.join()) return;
    for (const figure of this.figures) figure.destroy();
    this.panels.dataset.count = this.line.dataset.count = String(titles.length);
    const many = titles.length > 1;
    this.figures = titles.map((title) => new Figure(this.panels, { title, ratio: many ? 0.8 : 0.75, small: many, x: { label: many ? "" : "ξ₁" }, y: { label: many ? "" : "ξ₂" }, ownKeys: true }));
    for (const figure of this.figures) this.editor.attach(figure);
    this.students = this.state.students.map((name, k) => history({ name, title: titles[k], line: true, gamma: null }, 0));
  }

  /** A step of those that learn by epochs only is an epoch. */
  get stride() { return this.students.some((one) => one.line) ? 1 : this.P; }
  get P() { return Math.max(1, this.points.length); }
  get t() { return this.state.t; }

  /** The last presentation anybody has made. */
  get end() { return Math.max(0, ...this.students.map((one) => (one.line ? one.rows.length - 1 : one.rows.length * this.P))); }

  ask(now = false) {
    if (!this.job?.running() || this.waiting || this.complete) return;
    if (now || this.end < this.t + AHEAD || this.students.some((one) => !one.rows.length)) { this.waiting = true; this.job.more(); }
  }

  /** Called by the player: go to presentation t. True while there is more to come. */
  go(t) {
    const most = this.shell.screen.schema.properties.t.maximum;
    const next = Math.max(0, Math.min(t, this.complete ? this.end : t, most));
    const reached = this.complete && next >= this.end;
    if (!this.complete && next > this.end) { this.ask(); this.shell.set({ t: this.end }); return true; }
    this.shell.set({ t: next });
    return !reached && next < most;
  }

  toggleProof() {
    this.showProof = !this.showProof;
    this.proof.setAttribute("aria-pressed", String(this.showProof));
    this.draw();
  }

  showVerdict() {
    const found = this.separable;
    const words = !this.points.length ? "No points yet" : !found ? "One class only" : found.answer === null ? "Separable? Not decided" : found.answer ? "Separable: yes, proof" : "Separable: no, proof";
    this.proof.textContent = words;
    this.proof.dataset.answer = found ? String(found.answer) : "none";
    this.proof.disabled = !found;
    const count = found?.prove.length, points = `${count} point${count === 1 ? "" : "s"}`;
    this.proof.title = !found ? "Place points of the other class with shift-click." : found.answer === null ? found.message
      : found.answer ? `Weights with E > 0 for all examples were found. ${points[0].toUpperCase()}${points.slice(1)} bound how wide the gap can be: press to see which.` : `${points} with strengths that balance, Σ x S ξ = 0, so that no line can be right on all: press to see which.`;
  }

  draw() {
    if (this.figures.length !== this.students.length) return;
    this.editor.points = this.points;
    const looks = this.students.map((student) => student.at(this.t, this.P));
    this.figures.forEach((figure, k) => {
      const student = this.students[k], look = looks[k];
      const domain = { x: { domain: this.domain[0] }, y: { domain: this.domain[1] } };
      figure.draw({ ...domain, ...marksOf(this, student, look) });
    });
    this.series.draw(this.students, this.t, this.P);
    this.line.replaceChildren(...looks.map((look, k) => h("span", { text: this.sentence(look, this.students[k].title) })));
    this.players.show(this.t, this.P, this.complete && this.t >= this.end);
    this.tellFacts(looks);
    this.ask();
  }

  /** Under each panel what its student has reached. */
  sentence({ row, finished }, title) {
    if (!row) return title;
    const kappa = row.kappa !== null && row.kappa !== undefined ? `, κ = ${number(row.kappa)}` : "";
    return `${title}: ${row.errors} of ${this.points.length} wrong${kappa}${finished ? ", done" : ""}`;
  }

  tellFacts(looks) {
    const facts = { P: this.points.length, t: this.t, plus: this.points.filter((p) => p[2] > 0).length, minus: this.points.filter((p) => p[2] < 0).length, separable: this.separable?.answer ?? null, own: this.state.points !== null, proof: Boolean(this.showProof) };
    looks.forEach((look, k) => {
      const name = this.students[k].name;
      for (const key of ["errors", "kappa", "upper", "norm", "updates"]) facts[`${name}.${key}`] = look.row?.[key] ?? null;
      facts[`${name}.done`] = look.finished;
      facts[`${name}.support`] = look.strengths ? look.strengths.filter((x) => x > 0).length : null;
    });
    this.shell.facts(facts);
  }

  /** The person has changed the examples. */
  setPoints(points) {
    if (points.length > 500) return toast("500 points are the most this plane takes.");
    this.players.pause();
    this.shell.set({ points, t: 0 });
  }
}
