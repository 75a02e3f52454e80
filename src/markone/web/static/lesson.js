// A lesson above a screen: tasks are marked as solved when the values of the screen meet their conditions.

import { h, renderText } from "./dom.js";

const STORE = "markone-lessons", PREDICTIONS = "markone-predictions";

function readStored(where) {
  try { return JSON.parse(localStorage.getItem(where) ?? "{}"); } catch { return {}; }
}

export const solvedTasks = () => readStored(STORE);

function writeStored(where, name, value) {
  try { localStorage.setItem(where, JSON.stringify({ ...readStored(where), [name]: value })); } catch { /* no storage in a private window */ }
}

/** True if a condition of a task holds. */
export function isMet(condition, facts) {
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
    this.done = lesson.task.map((_, k) => Boolean(solvedTasks()[lesson.name]?.[k]));
    this.items = lesson.task.map((task) => h("li", { class: "task" }, h("span", { class: "tick", "aria-hidden": "true" }), h("span", {}, renderText(task.say)), h("span", { class: "offscreen" })));
    const all = shell.known.lessons, at = all.indexOf(lesson), next = all[at + 1];
    this.node = h("section", { class: "lesson", "aria-label": `Lesson: ${lesson.title}` },
      h("div", { class: "bar" }, h("span", { class: "chapter", text: lesson.chapter }), h("a", { href: "#/lessons", text: "All lessons" }), next ? h("a", { href: next.link, text: `Next: ${next.title}` }) : null),
      h("h2", { text: lesson.title }), h("p", {}, renderText(lesson.text)), lesson.predict ? this.buildPrediction(lesson.predict) : null, h("ol", { class: "tasks", hidden: Boolean(this.predicted) }, this.items));
    // The tasks may give away the answer.
    this.predicted?.then(() => { this.node.querySelector(".tasks").hidden = false; });
    this.showProgress();
  }

  /** A question before the tasks: the promise `predicted` is resolved by any answer. */
  buildPrediction({ question, options, answer, because }) {
    const { name } = this.lesson, reply = h("p", { class: "because", role: "status", tabindex: "-1" });
    let settle = () => {};
    const choose = (k) => {
      buttons.forEach((button, j) => {
        button.disabled = true;
        button.classList.toggle("answer", j === answer);
        button.classList.toggle("mistaken", j === k && k !== answer);
        button.setAttribute("aria-pressed", String(j === k));
      });
      reply.replaceChildren(h("b", { text: k === answer ? "Yes. " : "No. " }), ...renderText(because));
      settle();
    };
    const buttons = options.map((words, k) => h("button", { type: "button", on: { click: () => { writeStored(PREDICTIONS, name, k); choose(k); reply.focus(); } } }, renderText(words)));
    const before = readStored(PREDICTIONS)[name];
    if (Number.isInteger(before) && before < options.length) choose(before);
    else this.predicted = new Promise((resolve) => { settle = resolve; });
    return h("div", { class: "predict", role: "group", "aria-label": "Your prediction" }, h("p", { class: "quietly", text: "Before you try:" }), h("p", {}, renderText(question)), h("div", { class: "editor" }, buttons), reply);
  }

  /** Update the solved tasks; a solved task stays solved. */
  checkTasks(facts) {
    const state = this.shell.state;
    const known = { ...state, ...facts };
    const now = this.lesson.task.map((task, k) => this.done[k] || task.check.every((condition) => isMet(condition, known)));
    if (now.every((value, k) => value === this.done[k])) return;
    this.done = now;
    writeStored(STORE, this.lesson.name, now);
    this.showProgress();
  }

  showProgress() {
    this.items.forEach((item, k) => { item.classList.toggle("met", this.done[k]); item.lastChild.textContent = this.done[k] ? " (done)" : ""; });
    this.node.classList.toggle("complete", this.done.every(Boolean));
  }
}
