// On-line learning: three order parameters and their flow.

import { shapeName } from "../chart/marks/dot.js";
import { extent } from "../chart/scales.js";
import { h } from "../dom.js";
import { pointMarks, makeProgress, tableRows, theoryMark } from "./sweep.js";
import { View } from "./view.js";

const CHARTS = [["epsilon_g", "Generalization error", "ε_g"], ["R", "Overlap with the teacher", "R"], ["Q", "Squared length of w", "Q"]];

export default class Online extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.progress = makeProgress();
    const below = h("div", { class: "pairwise below" });
    stage.append(this.progress.node);
    CHARTS.forEach(([, title, label], k) => {
      this.addFigure(k ? below : stage, { title, ratio: k ? 0.6 : 0.52, small: k > 0, x: { label: k ? "α" : "α = examples / N" }, y: { label } });
    });
    stage.append(below);
  }

  update(state, changed) {
    this.state = state;
    if (changed?.length === 1 && changed[0] === "log") return this.draw();
    this.data = { titles: [], curves: [], points: [], repeats: 0 };
    this.requestFrames(state);
  }

  draw() {
    const { data, state } = this, { titles } = data;
    for (const [place, [key]] of CHARTS.entries()) {
      const [points, curves] = [data.points, data.curves].map((lines) => titles.map((_, k) => lines[k]?.[key] ?? []));
      const own = data.own?.lines[key] ?? [];
      const values = [...curves.flat(), ...own, ...points.flat()].map((p) => p[1]).filter((v) => Number.isFinite(v) && v > 0);
      const log = state.log && key !== "R";
      const low = values.length ? Math.min(...values) : 0.1, high = values.length ? Math.max(...values) : 1;
      const domain = key === "R" ? [0, 1] : log ? [low * 0.8, high * 1.25] : extent(values, { zero: true });
      this.figures[place].draw({
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
