// Lessons: the list by chapter, with the tasks solved in this browser.

import { h, renderText } from "../dom.js";
import { solvedTasks } from "../lesson.js";

export default class Lessons {
  constructor(shell, stage) {
    this.shell = shell;
    const done = solvedTasks(), chapters = new Map();
    for (const lesson of shell.known.lessons) chapters.set(lesson.chapter, [...(chapters.get(lesson.chapter) ?? []), lesson]);
    const titles = Object.fromEntries(shell.known.screens.map((screen) => [screen.name, screen.title]));
    const card = (lesson) => {
      const met = (done[lesson.name] ?? []).filter(Boolean).length, all = lesson.task.length;
      return h("a", { class: `card${met === all ? " complete" : ""}`, href: lesson.link }, h("h3", { text: lesson.title }), h("p", {}, renderText(lesson.text)), h("p", { class: "quietly", text: `${titles[lesson.screen]} · ${met} of ${all} tasks` }));
    };
    stage.append(...[...chapters].map(([name, some]) => h("section", { class: "chapter-of" }, h("h2", { text: name }), h("div", { class: "cards" }, some.map(card)))));
  }

  update() { this.shell.reportFacts({}); }

  destroy() {}
}
