// Student and teacher: learning curves with their theory.

import { shapeName } from "../chart/marks/dot.js";
import { extent } from "../chart/scales.js";
import { pointMarks, makeProgress, tableRows, theoryMark } from "./sweep.js";
import { View } from "./view.js";

export default class Teacher extends View {
  constructor(shell, stage) {
    super(shell, stage);
    this.progress = makeProgress();
    stage.append(this.progress.node);
    this.figure = this.addFigure(stage, { title: "Learning curve", ratio: 0.62, x: { label: "α = P/N" }, y: { label: "" } });
  }

  update(state) {
    this.state = state;
    this.data = { titles: [], curves: [], points: [], repeats: 0 };
    this.requestFrames(state);
  }

  draw() {
    const { data, state } = this, { titles } = data;
    const measure = this.shell.screen.schema.properties.measure.choices[state.measure];
    const [points, curves] = [data.points, data.curves].map((lines) => state.students.map((_, k) => lines[k]?.[state.measure] ?? []));
    const values = [...[...curves, data.own?.line ?? []].flat().map((p) => p[1]), ...points.flat().flatMap((p) => [p[1] - (p[2] ?? 0), p[1] + (p[2] ?? 0)])];
    const zero = state.measure !== "kappa";
    const domain = state.measure === "epsilon_g" ? [0, Math.max(0.5, extent(values)[1])] : extent(values, { zero, least: 0.5 });
    this.figure.draw({
      title: `${measure[0].toUpperCase()}${measure.slice(1)}, N = ${state.N}`,
      x: { domain: [0, state.alpha] }, y: { domain, label: measure },
      marks: [
        { type: "line", data: data.gibbs ?? [], class: "series-6 dashed" }, { type: "line", data: data.bayes ?? [], class: "series-6" },
        { type: "line", data: data.own?.line ?? [], class: "series-5 dashed" },
        data.alpha_c ? { type: "rule", at: data.alpha_c, words: `α_c = ${data.alpha_c.toFixed(2)}` } : null,
        ...titles.map((_, k) => theoryMark(curves[k], k)), ...titles.map((title, k) => pointMarks(points[k], k, title)),
      ],
      legend: [...titles.map((words, k) => ({ words, shape: "line", marker: shapeName(k), class: `series-${k}` })), ...(data.own?.line.length ? [{ words: `own loss ${state.loss}`, shape: "line", class: "series-5 dashed" }] : []), ...(data.bayes ? [{ words: "Bayes: lowest possible", shape: "line", class: "series-6" }, { words: "Gibbs", shape: "line", class: "series-6 dashed" }] : [])],
      table: () => ({ columns: ["student", "alpha", state.measure, "error", "repeats", "theory"], rows: tableRows(titles, points, curves) }),
    });
    this.progress.show(data.repeats, state.repeats);
    if (data.own?.problem) this.shell.showMessage(data.own.problem);
    const facts = { N: state.N, noise: state.noise, alpha_c: data.alpha_c, done: data.repeats === state.repeats && data.points.length > 0 };
    state.students.forEach((name, k) => { const last = points[k].at(-1); facts[`${name}.last`] = last?.[1] ?? null; facts[`${name}.first`] = points[k][0]?.[1] ?? null; facts[`${name}.best`] = points[k].length ? Math.min(...points[k].map((p) => p[1])) : null; });
    facts["minover_optimal.beaten"] = facts["minover_optimal.last"] > facts["hebb.last"];
    this.shell.reportFacts(facts);
  }
}
