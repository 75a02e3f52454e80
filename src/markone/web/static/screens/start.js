// Start: three ways in, the lessons by chapter with the tasks solved in this browser, and all screens.

import { h, renderText } from "../dom.js";
import { solvedTasks } from "../lesson.js";
import { loadPictures } from "../offline/channel.js";

// Pictures of lessons on cards that are no lessons.
const FIRST = "#/plane?students=['rosenblatt']&preset=tight&P=30";
const SHOWN = { plane: "stability", version: "version", teacher: "rule", capacity: "capacity", online: "online", prototypes: "relevance", memory: "recall", judging: "roc", runs: "wrong_labels", table: "folds" };

/** A picture from the file of pictures: marks of a figure as drawn, without its axes. */
function pictureNode(text, screen) {
  const node = h("div", { class: `thumbnail of-${screen}`, "aria-hidden": "true" });
  if (text) node.append(document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
  return node;
}

export default class Start {
  constructor(shell, stage) {
    this.shell = shell;
    this.stage = stage;
    this.show({});
    loadPictures().then((pictures) => this.show(pictures)).catch(() => { /* the cards are complete without them */ });
  }

  show(pictures) {
    const { screens, lessons } = this.shell.known, done = solvedTasks();
    const count = (lesson) => (done[lesson.name] ?? []).filter(Boolean).length;
    const next = lessons.find((one) => count(one) < one.task.length) ?? lessons[0], begun = lessons.some((one) => count(one));
    const way = (title, words, link, picture, screen, action) => h("a", { class: "card way", href: link }, pictureNode(pictures[picture], screen), h("h2", { text: title }), h("p", { text: words }), h("p", { class: "go", text: action }));
    const table = screens.find((one) => one.name === "table");
    const card = (lesson) => h("a", { class: `card${count(lesson) === lesson.task.length ? " complete" : ""}`, href: lesson.link }, pictureNode(pictures[lesson.name], lesson.screen), h("h3", { text: lesson.title }), h("p", {}, renderText(lesson.text)), h("p", { class: "quietly", text: `${count(lesson)} of ${lesson.task.length} tasks solved` }));
    const chapters = new Map();
    for (const lesson of lessons) chapters.set(lesson.chapter, [...(chapters.get(lesson.chapter) ?? []), lesson]);
    const others = screens.filter((one) => one.name !== "start" && !one.away);
    this.stage.replaceChildren(
      h("div", { class: "ways" },
        screens.find((one) => one.name === "plane").away ? null : way("See one learn", "Place points of two classes, press Run, and watch how a perceptron finds a line between them.", FIRST, "stability", "plane", "Open the plane"),
        next ? way("Take a lesson", `${lessons.length} short lessons through the notes: a prediction, then tasks that are ticked when solved.`, next.link, next.name, next.screen, `${begun ? "Go on" : "Begin"}: ${next.title}`) : null,
        table.away ? null : way("Your data", "Drop a table with one label per row: a model is fitted, and a report gives its accuracy.", "#/table", "relevance", "prototypes", "Open your table")),
      h("section", { class: "chapter-of" }, h("h2", { text: "All screens" }), h("div", { class: "cards narrow" }, others.map((one) => h("a", { class: "card", href: `#/${one.name}` }, pictureNode(pictures[SHOWN[one.name]], one.name), h("h3", { text: one.title }))))),
      ...[...chapters].map(([name, some]) => h("section", { class: "chapter-of" }, h("h2", { text: name }), h("div", { class: "cards" }, some.map(card)))));
  }

  update() { this.shell.reportFacts({}); }

  destroy() {}
}
