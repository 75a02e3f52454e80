// Your table: drop a file, choose what is to be predicted, and read the page of `markone fit`.

import { tableNode } from "../chart/table.js";
import { copy, h } from "../dom.js";
import { progress } from "./sweep.js";

const LARGEST = 5e6;
// Milliseconds between two questions how far the fit is.
const PATIENCE = 250;

export default class YourTable {
  constructor(shell, stage) {
    this.shell = shell;
    const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", id: "table-file", class: "offscreen", on: { change: () => { this.send(file.files[0]); file.value = ""; } } });
    this.drop = h("label", { class: "drop", for: "table-file" }, h("b", { text: "Drop a table here" }), h("span", { class: "quietly", text: "or choose a file: CSV, up to 5 MB, 50 000 rows, 500 columns" }));
    this.target = h("select", { id: "table-target", on: { change: () => shell.set({ target: this.target.value || null, go: false }) } });
    this.fit = h("button", { type: "button", class: "primary", text: "Fit", on: { click: () => this.toggle() } });
    this.progress = progress();
    this.line = h("p", { class: "facts", "aria-live": "polite" });
    this.look = h("div", { class: "look" });
    this.command = h("code");
    this.report = h("div", { class: "report" });
    stage.append(file, this.drop, h("div", { class: "player" }, h("label", { for: "table-target", text: "To be predicted" }), this.target, this.fit, this.progress.node), this.line, this.report, this.look,
      h("p", { class: "quietly command" }, "On the command line: ", this.command, " ", h("button", { type: "button", class: "quiet", text: "Copy", "aria-label": "Copy the command", on: { click: () => copy(this.command.textContent, "Command") } })));
    this.dropping(stage);
  }

  destroy() { this.job?.stop(); clearTimeout(this.timer); }

  dropping(stage) {
    const over = (on) => this.drop.classList.toggle("over", on);
    stage.addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
    stage.addEventListener("dragleave", () => over(false));
    stage.addEventListener("drop", (event) => { event.preventDefault(); over(false); this.send(event.dataTransfer.files[0]); });
  }

  /** The file goes to the laboratory's own server and gets a key; the key, not the file, is in the address. */
  async send(file) {
    if (!file) return;
    if (file.size > LARGEST) return this.shell.say(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB, more than the 5 MB taken here. \`markone fit\` on the command line takes larger ones.`);
    this.shell.say("");
    this.line.textContent = `Sending ${file.name}…`;
    const answer = await fetch("/table", { method: "POST", body: file, headers: { "Content-Type": "text/csv" } });
    if (!answer.ok) { this.line.textContent = ""; return this.shell.say(await answer.text()); }
    this.shell.set({ data: "own", table: (await answer.json()).key, name: file.name.slice(0, 80), target: null, go: false });
  }

  update(state, changed) {
    // A table is looked at anew; anything else that changes makes the page that is shown an old one.
    if (changed?.includes("data") && !changed.includes("table") && state.target !== null) return this.shell.set({ target: null, go: false });
    if (changed && state.go && !changed.includes("go")) return this.shell.set({ go: false });
    this.state = state;
    this.job?.stop();
    clearTimeout(this.timer);
    this.shell.say("");
    this.data = { ...(changed && !changed.some((name) => ["data", "table", "header"].includes(name)) ? { preview: this.data?.preview } : {}) };
    this.running = state.go;
    this.ask();
    this.draw();
  }

  toggle() { this.shell.set({ go: !this.running || !this.state.go }); }

  ask() {
    this.job = this.shell.request({
      onFrame: (data, last) => {
        Object.assign(this.data, data);
        if (last) this.running = false;
        this.draw();
        if (!last) this.timer = setTimeout(() => requestAnimationFrame(() => this.job.more()), PATIENCE);
      },
      onRefused: (sentence) => { this.running = false; this.shell.say(sentence); this.draw(); },
    });
  }

  draw() {
    const { data, state } = this, { preview, result } = data;
    this.command.textContent = data.command ?? this.command.textContent;
    this.drawTarget(preview);
    const target = state.target ?? preview?.target;
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

  drawTarget(preview) {
    const names = preview?.columns.map((one) => one.name) ?? [];
    if (this.target.dataset.names !== JSON.stringify(names)) {
      this.target.dataset.names = JSON.stringify(names);
      this.target.replaceChildren(h("option", { value: "", text: "choose a column" }), ...names.map((name) => h("option", { value: name, text: name })));
    }
    this.target.value = this.state.target ?? preview?.target ?? "";
    this.target.disabled = !names.length || Boolean(preview.target);
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

  /** The page is made of somebody's data: it is shown in a frame in which nothing runs. */
  drawReport(result) {
    if (this.key === result?.key) return;
    this.key = result?.key;
    if (!result) return this.report.replaceChildren();
    const at = (what) => `/results/${result.key}/${what}`;
    this.report.replaceChildren(
      h("div", { class: "editor" }, h("a", { class: "button", href: `${at("report")}?save=1`, download: "report.html", text: "Download the page" }), h("a", { class: "button", href: at("model"), download: "model.skops", text: "Download the model" }), h("a", { href: at("report"), target: "_blank", rel: "noopener", text: "Open the page alone" })),
      h("iframe", { class: "page", src: at("report"), sandbox: "", title: "The page of the fit", referrerpolicy: "no-referrer" }));
  }
}
