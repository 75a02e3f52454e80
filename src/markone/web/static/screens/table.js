// Your table: drop a file, choose what is to be predicted, and read the page of `markone fit`.

import { tableNode } from "../chart/table.js";
import { copy, h } from "../dom.js";
import { dropZone, pageFrame, targetSelect } from "../upload.js";
import { progress } from "./sweep.js";

// Milliseconds between two questions how far the fit is.
const PATIENCE = 250;
const OF_THE_TABLE = ["data", "table", "header"];

export default class YourTable {
  constructor(shell, stage) {
    this.shell = shell;
    this.target = targetSelect((target) => shell.set({ target, go: false }));
    this.fit = h("button", { type: "button", class: "primary", text: "Fit", on: { click: () => shell.set({ go: !this.running }) } });
    this.progress = progress();
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    this.look = h("div", { class: "look" });
    this.command = h("code");
    this.report = h("div");
    const again = h("button", { type: "button", class: "quiet", text: "Copy", "aria-label": "Copy the command", on: { click: () => copy(this.command.textContent, "Command") } });
    stage.append(...dropZone(shell, stage, (table, name) => shell.set({ data: "own", table, name, target: null, go: false })),
      h("div", { class: "player" }, this.target.node, this.fit, this.progress.node), this.line, this.report, this.look,
      h("p", { class: "quietly command" }, "On the command line: ", this.command, " ", again));
  }

  destroy() { this.job?.stop(); clearTimeout(this.timer); }

  update(state, changed) {
    // Another table has other columns; whatever else changes makes the page that is shown an old one.
    if (changed?.includes("data") && !changed.includes("table") && state.target !== null) return this.shell.set({ target: null, go: false });
    if (changed && state.go && !changed.includes("go")) return this.shell.set({ go: false });
    this.state = state;
    this.job?.stop();
    clearTimeout(this.timer);
    this.shell.say("");
    const other = !changed || changed.some((name) => OF_THE_TABLE.includes(name));
    this.data = other ? {} : { preview: this.data?.preview };
    this.running = state.go;
    this.ask();
    this.draw();
  }

  ask() {
    this.job = this.shell.request({
      onFrame: (data, last) => {
        Object.assign(this.data, data);
        if (last) this.running = false;
        this.draw();
        if (!last) this.timer = setTimeout(() => requestAnimationFrame(() => this.job.more()), PATIENCE);
      },
      // So that Fit may be pressed again, after a change or without.
      onRefused: (sentence) => { this.running = false; this.shell.set({ go: false }, { redraw: false }); this.state = this.shell.state; this.shell.say(sentence); this.draw(); },
    });
  }

  draw() {
    const { data, state } = this, { preview, result } = data;
    this.command.textContent = data.command ?? this.command.textContent;
    const target = state.target ?? preview?.target;
    this.target.show(preview?.columns.map((one) => one.name) ?? [], target, Boolean(preview?.target));
    this.fit.textContent = this.running ? "Stop" : result ? "Done" : "Fit";
    this.fit.disabled = !target || Boolean(result);
    this.progress.node.hidden = !this.running;
    if (this.running) this.progress.show(data.done ?? 0, data.of || 1, data.waiting ? "folds; another table is being fitted first" : data.of ? "folds" : "folds; getting ready");
    this.line.textContent = result ? result.headline : preview ? this.sentence(preview, target) : "";
    this.drawLook(preview);
    this.drawReport(result);
    this.shell.facts({ rows: preview?.rows ?? 0, columns: preview?.columns.length ?? 0, done: Boolean(result) });
  }

  sentence(preview, target) {
    const name = this.state.data === "own" ? this.state.name || "Your table" : "The table";
    const choose = target ? "" : " Choose the column that is to be predicted.";
    return `${name} has ${preview.rows} rows and ${preview.columns.length} columns.${choose}`;
  }

  /** Columns and first rows, as the reader found them. */
  drawLook(preview) {
    if (this.shown === preview) return;
    this.shown = preview;
    if (!preview) return this.look.replaceChildren();
    const columns = preview.columns.slice(0, preview.first[0]?.length ?? 0);
    const about = { columns: ["column", "kind", "different values", "missing"], rows: preview.columns.map((one) => [one.name, one.kind, one.values, one.missing]) };
    const notes = preview.notes.length ? h("ul", { class: "claims" }, preview.notes.map((text) => h("li", { text }))) : null;
    this.look.replaceChildren(...[notes, tableNode({ columns: columns.map((one) => one.name), rows: preview.first }, "The first rows"), tableNode(about, "What the columns are")].filter(Boolean));
  }

  drawReport(result) {
    if (this.key === result?.key) return;
    this.key = result?.key;
    this.report.replaceChildren(...(result ? [pageFrame(result.key, "The page of the fit", { model: true })] : []));
  }
}
