// A lesson above a screen: its tasks tick themselves off when the numbers meet them.

import { h, withSubscripts } from "./dom.js";

const STORE = "markone-lessons";

export function solved() {
  try { return JSON.parse(localStorage.getItem(STORE) ?? "{}"); } catch { return {}; }
}

function remember(name, done) {
  try { localStorage.setItem(STORE, JSON.stringify({ ...solved(), [name]: done })); } catch { /* a private window forgets */ }
}

/** One condition of a check. */
export function holds(condition, facts) {
  const value = facts[condition.fact];
  if ("is" in condition) return value === condition.is;
  if (value === null || value === undefined || Number.isNaN(value)) return false;
  if ("above" in condition) return value > condition.above;
  if ("below" in condition) return value < condition.below;
  if ("at_least" in condition) return value >= condition.at_least;
  return value <= condition.at_most;
}

export class Lesson {
  constructor(shell, lesson) {
    this.shell = shell;
    this.lesson = lesson;
    this.done = lesson.task.map((_, k) => Boolean(solved()[lesson.name]?.[k]));
    this.items = lesson.task.map((task) => h("li", { class: "task" }, h("span", { class: "tick", "aria-hidden": "true" }), h("span", {}, withSubscripts(task.say)), h("span", { class: "offscreen" })));
    const all = shell.known.lessons, at = all.indexOf(lesson), next = all[at + 1];
    this.node = h("section", { class: "lesson", "aria-label": `Lesson: ${lesson.title}` },
      h("div", { class: "bar" }, h("span", { class: "chapter", text: lesson.chapter }), h("a", { href: "#/lessons", text: "All lessons" }), next ? h("a", { href: next.link, text: `Next: ${next.title}` }) : null),
      h("h2", { text: lesson.title }), h("p", {}, withSubscripts(lesson.text)), lesson.predict ? this.prediction(lesson.predict) : null, h("ol", { class: "tasks" }, this.items));
    this.show();
  }

  prediction({ question, options, answer, because }) {
    const reply = h("p", { class: "because", role: "status" });
    const buttons = options.map((words, k) => h("button", { type: "button", text: words, on: { click: () => {
      buttons.forEach((button, j) => { button.disabled = true; button.classList.toggle("answer", j === answer); });
      reply.textContent = `${k === answer ? "Yes." : "No."} ${because}`;
    } } }));
    return h("div", { class: "predict", role: "group", "aria-label": "Your prediction" }, h("p", { class: "quietly", text: "Before you try:" }), h("p", {}, withSubscripts(question)), h("div", { class: "editor" }, buttons), reply);
  }

  /** A task once met stays met. */
  check(facts) {
    const state = this.shell.state;
    const known = { ...state, ...facts };
    const now = this.lesson.task.map((task, k) => this.done[k] || task.check.every((condition) => holds(condition, known)));
    if (now.every((value, k) => value === this.done[k])) return;
    this.done = now;
    remember(this.lesson.name, now);
    this.show();
  }

  show() {
    this.items.forEach((item, k) => { item.classList.toggle("met", this.done[k]); item.lastChild.textContent = this.done[k] ? " (done)" : ""; });
    this.node.classList.toggle("complete", this.done.every(Boolean));
  }
}
