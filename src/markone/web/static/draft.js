// A text that is checked while it is written: what is wrong stands beside its line.

import { h } from "./dom.js";

// Milliseconds after the last key; pixels from line to line, as in the sheet of styles.
const PATIENCE = 300, LINE = 20;

/** `check(text, answer)` asks; answer gets [{ text, line }]. */
export class Draft {
  constructor(label, check) {
    this.check = check;
    this.text = h("textarea", { class: "toml", rows: "18", spellcheck: "false", wrap: "off", "aria-label": label, on: { input: () => this.written(), scroll: () => this.scroll() } });
    this.behind = h("div", { class: "lines", "aria-hidden": "true" });
    this.notes = h("div", { class: "lines" });
    this.list = h("ul", { class: "problems", "aria-live": "polite" });
    this.node = h("div", { class: "draft" }, h("div", { class: "sheet" }, h("div", { class: "window" }, this.behind), this.text, h("div", { class: "notes", "aria-hidden": "true" }, this.notes)), this.list);
    this.problems = [];
  }

  get value() { return this.text.value; }

  set value(text) { this.text.value = text; this.show([]); }

  /** A moment after the last key. */
  written() {
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(this.value, (problems) => this.show(problems)), PATIENCE);
  }

  show(problems) {
    this.problems = problems;
    this.list.replaceChildren(...problems.map((one) => this.item(one)));
    this.draw();
  }

  /** The same lines under the text: invisible, but for their numbers and what is said about them. */
  draw() {
    const said = new Map();
    for (const { text, line } of this.problems) if (line) said.set(line, [...(said.get(line) ?? []), text]);
    this.behind.replaceChildren(...this.value.split("\n").map((text, k) => {
      const wrong = said.get(k + 1);
      return h("div", { class: wrong ? "line wrong" : "line" }, h("span", { class: "count", text: String(k + 1) }), h("span", { class: "unseen", text }));
    }));
    this.notes.replaceChildren(...[...said].map(([line, some]) => {
      const note = h("p", { text: some.join(" ") });
      note.style.top = `${(line - 1) * LINE}px`;
      return note;
    }));
    this.scroll();
  }

  /** What is said stays in sight when long lines are moved sideways. */
  scroll() {
    this.behind.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.notes.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  /** In the list below, with the number of its line, which it marks when it is pressed. */
  item({ text, line }) {
    const mark = () => {
      const lines = this.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.text.focus();
      this.text.setSelectionRange(from, from + lines[line - 1].length);
      this.text.scrollTop = Math.max(0, (line - 6) * (this.text.scrollHeight / lines.length));
    };
    return h("li", {}, line ? h("button", { type: "button", class: "quiet line", text: `line ${line}`, on: { click: mark } }) : null, text);
  }
}
