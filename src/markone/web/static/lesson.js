// A lesson above a screen: its tasks tick themselves off when the numbers meet them.

import { h, withSubscripts } from "./dom.js";

const STORE = "markone-lessons", PREDICTIONS = "markone-predictions";

function stored(where) {
  try { return JSON.parse(localStorage.getItem(where) ?? "{}"); } catch { return {}; }
}

export const solved = () => stored(STORE);

function remember(where, name, value) {
  try { localStorage.setItem(where, JSON.stringify({ ...stored(where), [name]: value })); } catch { /* a private window forgets */ }
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
    /** @type {Promise<void> | null} */
    this.predicted = null;
    this.done = lesson.task.map((_, k) => Boolean(solved()[lesson.name]?.[k]));
    this.items = lesson.task.map((task) => h("li", { class: "task" }, h("span", { class: "tick", "aria-hidden": "true" }), h("span", {}, withSubscripts(task.say)), h("span", { class: "offscreen" })));
    const all = shell.known.lessons, at = all.indexOf(lesson), next = all[at + 1];
    this.node = h("section", { class: "lesson", "aria-label": `Lesson: ${lesson.title}` },
      h("div", { class: "bar" }, h("span", { class: "chapter", text: lesson.chapter }), h("a", { href: "#/lessons", text: "All lessons" }), next ? h("a", { href: next.link, text: `Next: ${next.title}` }) : null),
      h("h2", { text: lesson.title }), h("p", {}, withSubscripts(lesson.text)), lesson.predict ? this.prediction(lesson.predict) : null, h("ol", { class: "tasks", hidden: Boolean(this.predicted) }, this.items));
    // What is to be done next may tell the answer.
    this.predicted?.then(() => { this.node.querySelector(".tasks").hidden = false; });
    this.show();
  }

  /** A question before the reveal: `predicted` is settled by the answer, right or wrong. */
  prediction({ question, options, answer, because }) {
    const { name } = this.lesson, reply = h("p", { class: "because", role: "status", tabindex: "-1" });
    let settle = () => {};
    const choose = (k) => {
      buttons.forEach((button, j) => {
        button.disabled = true;
        button.classList.toggle("answer", j === answer);
        button.classList.toggle("mistaken", j === k && k !== answer);
        button.setAttribute("aria-pressed", String(j === k));
      });
      reply.replaceChildren(h("b", { text: k === answer ? "Yes. " : "No. " }), ...withSubscripts(because));
      settle();
    };
    const buttons = options.map((words, k) => h("button", { type: "button", on: { click: () => { remember(PREDICTIONS, name, k); choose(k); reply.focus(); } } }, withSubscripts(words)));
    const before = stored(PREDICTIONS)[name];
    if (Number.isInteger(before) && before < options.length) choose(before);
    else this.predicted = new Promise((resolve) => { settle = resolve; });
    return h("div", { class: "predict", role: "group", "aria-label": "Your prediction" }, h("p", { class: "quietly", text: "Before you try:" }), h("p", {}, withSubscripts(question)), h("div", { class: "editor" }, buttons), reply);
  }

  /** A task once met stays met. */
  check(facts) {
    const state = this.shell.state;
    const known = { ...state, ...facts };
    const now = this.lesson.task.map((task, k) => this.done[k] || task.check.every((condition) => holds(condition, known)));
    if (now.every((value, k) => value === this.done[k])) return;
    this.done = now;
    remember(STORE, this.lesson.name, now);
    this.show();
  }

  show() {
    this.items.forEach((item, k) => { item.classList.toggle("met", this.done[k]); item.lastChild.textContent = this.done[k] ? " (done)" : ""; });
    this.node.classList.toggle("complete", this.done.every(Boolean));
  }
}
