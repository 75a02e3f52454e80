// An editor that checks its text while it is written and shows problems beside their lines.

import { h } from "./dom.js";

// Milliseconds after the last key; height of a line in pixels, as in style.css.
const DELAY = 300, LINE = 20;

/** `check(text, answer)` checks the text; the callback `answer` gets [{ text, line }]. */
export class Draft {
  constructor(label, check) {
    this.check = check;
    this.text = h("textarea", { class: "toml", rows: "18", spellcheck: "false", wrap: "off", "aria-label": label, on: { input: () => this.handleInput(), scroll: () => this.syncScroll() } });
    this.behind = h("div", { class: "lines", "aria-hidden": "true" });
    this.notes = h("div", { class: "lines" });
    this.list = h("ul", { class: "problems", "aria-live": "polite" });
    this.node = h("div", { class: "draft" }, h("div", { class: "sheet" }, h("div", { class: "window" }, this.behind), this.text, h("div", { class: "notes", "aria-hidden": "true" }, this.notes)), this.list);
    this.problems = [];
  }

  get value() { return this.text.value; }

  set value(text) { this.text.value = text; this.showProblems([]); }

  /** Check the text a moment after the last key. */
  handleInput() {
    this.drawLines();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(this.value, (problems) => this.showProblems(problems)), DELAY);
  }

  showProblems(problems) {
    this.problems = problems;
    this.list.replaceChildren(...problems.map((one) => this.problemItem(one)));
    this.drawLines();
  }

  /** Draw line numbers and problems in a layer behind the text. */
  drawLines() {
    const messages = new Map();
    for (const { text, line } of this.problems) if (line) messages.set(line, [...(messages.get(line) ?? []), text]);
    this.behind.replaceChildren(...this.value.split("\n").map((text, k) => {
      const wrong = messages.get(k + 1);
      return h("div", { class: wrong ? "line wrong" : "line" }, h("span", { class: "count", text: String(k + 1) }), h("span", { class: "unseen", text }));
    }));
    this.notes.replaceChildren(...[...messages].map(([line, some]) => {
      const note = h("p", { text: some.join(" ") });
      note.style.top = `${(line - 1) * LINE}px`;
      return note;
    }));
    this.syncScroll();
  }

  /** Scroll the layer with the text; problems stay visible when long lines are scrolled sideways. */
  syncScroll() {
    this.behind.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.notes.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  /** An entry of the list of problems; its button selects the line. */
  problemItem({ text, line }) {
    const mark = () => {
      const lines = this.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.text.focus();
      this.text.setSelectionRange(from, from + lines[line - 1].length);
      this.text.scrollTop = Math.max(0, (line - 6) * (this.text.scrollHeight / lines.length));
    };
    return h("li", {}, line ? h("button", { type: "button", class: "quiet line", text: `line ${line}`, on: { click: mark } }) : null, text);
  }
}
