// A lesson beside a screen: tasks are marked as solved when the values of the screen meet their conditions.

import { h, formatNumber, renderText } from "./dom.js";
import { findHint, stepWords } from "./hints.js";

const STORE = "markone-lessons", PREDICTIONS = "markone-predictions";
const HINTS = 3;
// Changes of the state without success after which the first hint is given unasked.
const TRIES = 3;
const SIGNS = { above: ">", below: "<", at_least: "≥", at_most: "≤" };

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
    /** @type {any} */
    this.lead = null;
    this.done = lesson.task.map((_, k) => Boolean(solvedTasks()[lesson.name]?.[k]));
    // The values now, those before the last change of the state, and the state with which the lesson opened.
    this.now = this.before = {};
    this.opened = shell.state;
    this.restartHints();
    this.items = lesson.task.map((task) => this.buildTask(task));
    const all = shell.known.lessons, next = all[all.indexOf(lesson) + 1];
    this.end = h("p", { class: "task-end", hidden: true }, h("b", { text: "All tasks solved. " }), next ? h("a", { href: next.link, text: `Next: ${next.title}` }) : null);
    this.tasks = h("div", { class: "tasks" }, h("ol", {}, this.items.map((item) => item.node)), this.end);
    this.node = h("section", { class: "lesson", "aria-label": `Lesson: ${lesson.title}` },
      h("div", { class: "lesson-head" },
        h("div", { class: "bar" }, h("span", { class: "chapter", text: lesson.chapter }), h("a", { href: "#/start", text: "All lessons" })),
        h("h2", { text: lesson.title }), h("p", {}, renderText(lesson.text)), lesson.predict ? this.buildPrediction(lesson.predict) : null), this.tasks);
    // The tasks may give away the answer.
    this.tasks.hidden = Boolean(this.predicted);
    this.predicted?.then(() => { this.tasks.hidden = false; });
    this.showProgress();
  }

  /** A task with the present value of each condition beside its goal. */
  buildTask(task) {
    const values = task.check.map(() => h("b"));
    const goals = task.check.map((condition, k) => h("li", {}, h("span", { text: `${this.factWords(condition.fact)} ` }), values[k], h("span", { class: "goal", text: ` ${this.goalWords(condition)}` })));
    const status = h("span", { class: "offscreen" }), hints = h("ol", { class: "hints", role: "status" });
    const button = h("button", { type: "button", class: "quiet hint", on: { click: () => this.giveHint() } });
    const node = h("li", { class: "task" }, h("span", { class: "tick", "aria-hidden": "true" }), h("div", {}, h("span", {}, renderText(task.say)), status, h("ul", { class: "goals" }, goals), hints, button));
    return { task, node, values, goals, status, hints, button };
  }

  /** A value in words: a choice by its label. */
  valueWords(fact, value) {
    if (value === undefined || value === null || Number.isNaN(value)) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "number") return formatNumber(value, 3);
    return this.shell.screen.schema.properties[fact]?.choices?.[value] ?? String(value);
  }

  goalWords(condition) {
    const [name] = Object.keys(condition).filter((key) => key !== "fact");
    return name === "is" ? `(${this.valueWords(condition.fact, condition.is)})` : `(${SIGNS[name]} ${formatNumber(condition[name])})`;
  }

  factWords(fact) {
    const words = this.shell.known.facts_words, fields = this.shell.screen.schema.properties, [owner, key] = fact.split(".");
    if (words[fact] ?? fields[fact]?.title) return words[fact] ?? fields[fact].title;
    const choices = { ...fields.students?.choices, ...fields.rules?.choices };
    return `${choices[owner] ?? owner}: ${words[key] ?? key}`;
  }

  /** A question before the tasks: the promise `predicted` is resolved by any answer. */
  buildPrediction({ question, options, answer, because }) {
    const { name } = this.lesson, reply = h("p", { class: "because", role: "status", tabindex: "-1" });
    let settle = () => {}, lead = null;
    const choose = (k) => {
      lead?.reveal();
      buttons.forEach((button, j) => {
        button.disabled = true;
        button.classList.toggle("answer", j === answer);
        button.classList.toggle("mistaken", j === k && k !== answer);
        button.setAttribute("aria-pressed", String(j === k));
      });
      reply.replaceChildren(h("b", { text: k === answer ? "Yes. " : "No. " }), ...renderText(because));
      settle();
    };
    const buttons = options.map((words, k) => h("button", { type: "button", on: { click: () => { writeStored(PREDICTIONS, name, k); choose(k); reply.focus({ preventScroll: true }); } } }, renderText(words)));
    const before = readStored(PREDICTIONS)[name];
    if (Number.isInteger(before) && before < options.length) choose(before);
    else this.predicted = new Promise((resolve) => { settle = resolve; });
    const panel = h("div", { class: "predict", role: "group", "aria-label": "Your prediction" }, h("p", {}, h("span", { class: "quietly", text: "Before you try: " }), renderText(question)), h("div", { class: "editor" }, buttons), reply);
    const { class: joining } = this.shell.known;
    if (joining) import("./class/lead.js").then(({ ClassLead }) => { this.lead = lead = new ClassLead(joining, this.lesson, buttons); panel.append(lead.node); });
    return panel;
  }

  destroy() { this.lead?.close(); }

  /** Update the solved tasks; a solved task stays solved. */
  checkTasks(facts) {
    const known = { ...this.shell.state, ...facts }, { t: _, ...state } = this.shell.state, text = JSON.stringify(state);
    if (text !== this.text) { this.before = this.now; this.tries += this.text ? 1 : 0; this.text = text; }
    this.now = known;
    const now = this.lesson.task.map((task, k) => this.done[k] || task.check.every((condition) => isMet(condition, known)));
    if (now.some((value, k) => value !== this.done[k])) {
      this.done = now;
      this.restartHints();
      writeStored(STORE, this.lesson.name, now);
    }
    this.showProgress();
    if (this.tries >= TRIES && !this.given && this.current >= 0) this.giveHint();
  }

  /** The first task that is not solved; -1 if there is none. */
  get current() { return this.done.indexOf(false); }

  restartHints() { this.tries = this.given = 0; }

  /** Show the next hint of the current task; after the last one its solution. */
  giveHint() {
    const { task, hints, button } = this.items[this.current], { schema } = this.shell.screen;
    const open = task.check.filter((condition) => !isMet(condition, this.now));
    const goals = open.map((condition) => ({ condition, name: this.factWords(condition.fact), value: this.now[condition.fact], before: this.before[condition.fact] }));
    const words = this.given < HINTS ? findHint(this.given, { goals, task, schema, state: this.shell.state, opened: this.opened })
      : `A solution: ${task.steps.map((step) => stepWords(step, schema)).join("; ")}.`;
    hints.append(h("li", {}, renderText(words)));
    this.given += 1;
    this.showProgress();
    if (this.given > HINTS) button.hidden = true;
  }

  showProgress() {
    this.items.forEach(({ task, node, values, goals, status, button, hints }, k) => {
      node.classList.toggle("met", this.done[k]);
      node.classList.toggle("current", k === this.current);
      status.textContent = this.done[k] ? " (done)" : "";
      hints.hidden = this.done[k];
      button.hidden = k !== this.current || this.given > HINTS;
      button.textContent = this.given < HINTS ? `Hint (${this.given} of ${HINTS} used)` : "Show a solution";
      task.check.forEach((condition, j) => { values[j].textContent = this.valueWords(condition.fact, this.now[condition.fact]); goals[j].classList.toggle("met", isMet(condition, this.now)); });
    });
    this.end.hidden = this.current >= 0;
    this.node.classList.toggle("complete", this.current < 0);
  }
}
