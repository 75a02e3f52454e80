// Your table: drop a file, choose the target, and see the report of `markone fit`.

import { tableNode } from "../chart/table.js";
import { copyToClipboard, h } from "../dom.js";
import { dropZone, pageFrame, targetSelect } from "../upload.js";
import { makeProgress } from "./sweep.js";

// Milliseconds between two requests for the progress of the fit.
const POLL_EVERY = 250;
const TABLE_FIELDS = ["data", "table", "header"];

export default class YourTable {
  constructor(shell, stage) {
    this.shell = shell;
    this.target = targetSelect((target) => shell.setState({ target, go: false }));
    this.fit = h("button", { type: "button", class: "primary", text: "Fit", on: { click: () => shell.setState({ go: !this.running }) } });
    this.progress = makeProgress();
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    this.preview = h("div", { class: "look" });
    this.command = h("code");
    this.report = h("div");
    const again = h("button", { type: "button", class: "quiet", text: "Copy", "aria-label": "Copy the command", on: { click: () => copyToClipboard(this.command.textContent, "Command") } });
    stage.append(...dropZone(shell, stage, (table, name) => shell.setState({ data: "own", table, name, target: null, go: false })),
      h("div", { class: "player" }, this.target.node, this.fit, this.progress.node), this.line, this.report, this.preview,
      h("p", { class: "quietly command" }, "On the command line: ", this.command, " ", again));
  }

  destroy() { this.job?.stop(); clearTimeout(this.timer); }

  update(state, changed) {
    // Another table has other columns; any other change makes the report outdated.
    if (changed?.includes("data") && !changed.includes("table") && state.target !== null) return this.shell.setState({ target: null, go: false });
    if (changed && state.go && !changed.includes("go")) return this.shell.setState({ go: false });
    this.state = state;
    this.job?.stop();
    clearTimeout(this.timer);
    this.shell.showMessage("");
    const other = !changed || changed.some((name) => TABLE_FIELDS.includes(name));
    this.data = other ? {} : { preview: this.data?.preview };
    this.running = state.go;
    this.requestFit();
    this.draw();
  }

  requestFit() {
    this.job = this.shell.request({
      onFrame: (data, last) => {
        Object.assign(this.data, data);
        if (last) this.running = false;
        this.draw();
        if (!last) this.timer = setTimeout(() => requestAnimationFrame(() => this.job.more()), POLL_EVERY);
      },
      // Fit can be pressed again.
      onRefused: (sentence) => { this.running = false; this.shell.setState({ go: false }, { redraw: false }); this.state = this.shell.state; this.shell.showMessage(sentence); this.draw(); },
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
    if (this.running) this.progress.show(data.done ?? 0, data.of || 1, data.waiting ? "folds; waiting for another fit" : data.of ? "folds" : "folds; getting ready");
    this.line.textContent = result ? result.headline : preview ? this.describeTable(preview, target) : "";
    this.drawPreview(preview);
    this.drawReport(result);
    this.shell.reportFacts({ rows: preview?.rows ?? 0, columns: preview?.columns.length ?? 0, done: Boolean(result) });
  }

  describeTable(preview, target) {
    const name = this.state.data === "own" ? this.state.name || "Your table" : "The table";
    const choose = target ? "" : " Choose the column that is to be predicted.";
    return `${name} has ${preview.rows} rows and ${preview.columns.length} columns.${choose}`;
  }

  /** Draw the columns and first rows as read. */
  drawPreview(preview) {
    if (this.shown === preview) return;
    this.shown = preview;
    if (!preview) return this.preview.replaceChildren();
    const columns = preview.columns.slice(0, preview.first[0]?.length ?? 0);
    const about = { columns: ["column", "kind", "different values", "missing"], rows: preview.columns.map((one) => [one.name, one.kind, one.values, one.missing]) };
    const notes = preview.notes.length ? h("ul", { class: "claims" }, preview.notes.map((text) => h("li", { text }))) : null;
    this.preview.replaceChildren(...[notes, tableNode({ columns: columns.map((one) => one.name), rows: preview.first }, "The first rows"), tableNode(about, "Columns as they were read")].filter(Boolean));
  }

  drawReport(result) {
    if (this.key === result?.key) return;
    this.key = result?.key;
    this.report.replaceChildren(...(result ? [pageFrame(result.key, "Report of the fit", { model: true })] : []));
  }
}
