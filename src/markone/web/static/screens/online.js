// On-line learning: three order parameters and their flow.

import { Figure } from "../chart/figure.js";
import { shapeName } from "../chart/marks/dot.js";
import { extent } from "../chart/scales.js";
import { pointMarks, requestFrames, makeProgress, tableRows, theoryMark } from "./sweep.js";

const CHARTS = [["epsilon_g", "Generalization error", "ε_g"], ["R", "Overlap with the teacher", "R"], ["Q", "Squared length of w", "Q"]];

export default class Online {
  constructor(shell, stage) {
    this.shell = shell;
    this.progress = makeProgress();
    stage.append(this.progress.node);
    const [name, title, label] = CHARTS[0];
    this.figures = { [name]: new Figure(stage, { title, ratio: 0.52, x: { label: "α = examples / N" }, y: { label } }) };
    const below = stage.appendChild(document.createElement("div"));
    below.className = "pairwise below";
    for (const [key, words, sign] of CHARTS.slice(1)) this.figures[key] = new Figure(below, { title: words, ratio: 0.6, small: true, x: { label: "α" }, y: { label: sign } });
  }

  destroy() { this.job?.stop(); for (const figure of Object.values(this.figures)) figure.destroy(); }

  update(state, changed) {
    this.state = state;
    if (changed?.length === 1 && changed[0] === "log" && this.data) return this.draw();
    this.job?.stop();
    this.shell.showMessage("");
    this.data = { titles: [], curves: [], points: [], repeats: 0 };
    this.job = requestFrames(this.shell, state, (data) => { Object.assign(this.data, data); this.draw(); });
  }

  draw() {
    const { data, state } = this, { titles } = data;
    for (const [key, figure] of Object.entries(this.figures)) {
      const points = titles.map((_, k) => data.points[k]?.[key] ?? []), curves = titles.map((_, k) => data.curves[k]?.[key] ?? []);
      const own = data.own?.lines[key] ?? [];
      const values = [...curves.flat(), ...own, ...points.flat()].map((p) => p[1]).filter((v) => Number.isFinite(v) && v > 0);
      const log = state.log && key !== "R";
      const low = values.length ? Math.min(...values) : 0.1, high = values.length ? Math.max(...values) : 1;
      const domain = key === "R" ? [0, 1] : log ? [low * 0.8, high * 1.25] : extent(values, { zero: true });
      figure.draw({
        x: { domain: state.log ? [Math.max(0.1, 2 / state.N), state.alpha] : [0, state.alpha], log: state.log }, y: { domain, log },
        marks: [{ type: "line", data: own, class: "series-6 dashed" }, ...titles.map((_, k) => theoryMark(curves[k], k)), ...titles.map((title, k) => pointMarks(points[k], k, title))],
        legend: key === "epsilon_g" ? [...titles.map((words, k) => ({ words, shape: "line", marker: shapeName(k), class: `series-${k}` })), ...(own.length ? [{ words: `own rule ${state.rule}`, shape: "line", class: "series-6 dashed" }] : [])] : [],
        table: () => ({ columns: ["rule", "alpha", key, "error", "repeats", "flow"], rows: tableRows(titles, points, curves) }),
      });
    }
    this.progress.show(data.repeats, state.repeats);
    if (data.own?.problem) this.shell.showMessage(data.own.problem);
    const facts = { noise: state.noise, drift: state.drift, N: state.N, done: data.repeats === state.repeats };
    state.rules.forEach((rule, k) => { facts[`${rule}.last`] = data.points[k]?.epsilon_g?.at(-1)?.[1] ?? null; });
    this.shell.reportFacts(facts);
  }
}
