// The lecturer's part of a lesson: ask the class its prediction and show how many chose what.

import { h } from "../dom.js";

export class ClassLead {
  /** @param {[string, string]} joining address and code @param {any} lesson @param {HTMLElement[]} buttons those of the options */
  constructor([address, code], lesson, buttons) {
    this.lesson = lesson;
    this.bars = buttons.map((button) => button.appendChild(h("span", { class: "votes" })));
    this.ask = h("button", { type: "button", class: "primary", text: "Ask the class", on: { click: () => this.send({ kind: "ask", lesson: lesson.name, text: lesson.predict.question, options: lesson.predict.options, answer: lesson.predict.answer, because: lesson.predict.because }) } });
    this.words = h("span", { class: "quietly", role: "status" });
    this.table = h("table");
    this.node = h("div", { class: "class-lead" },
      h("p", {}, "Students join at ", h("b", { text: address.replace("http://", "") }), " with the code ", h("b", { class: "code", text: code })),
      h("a", { class: "qr", href: "/class/join.svg", target: "_blank", title: "Show it large" }, h("img", { src: "/class/join.svg", alt: "QR code of the link with which students join" })),
      h("div", { class: "editor" }, this.ask, this.words),
      h("details", {}, h("summary", { text: "Who stands where" }), h("div", { class: "table-scroll" }, this.table), h("a", { href: "/class/answers.csv", download: "answers.csv", text: "Save all predictions as CSV" })));
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/class/lead`);
    this.socket.addEventListener("message", ({ data }) => this.show(JSON.parse(data)));
  }

  send(message) { this.socket.send(JSON.stringify(message)); }

  /** The lecturer has chosen: the phones show the answer. */
  reveal() { if (this.asked) this.send({ kind: "reveal" }); this.ask.disabled = true; this.node.classList.add("revealed"); }

  close() { this.socket.close(); }

  show({ joined, lesson, counts, standings }) {
    this.asked = lesson === this.lesson.name;
    const all = this.asked ? counts.reduce((a, b) => a + b, 0) : 0;
    this.words.textContent = this.asked ? `${all} of ${joined} have predicted` : `${joined} ${joined === 1 ? "student has" : "students have"} joined`;
    if (this.asked) { this.ask.textContent = "Asked"; this.ask.disabled = true; }
    this.bars.forEach((bar, k) => {
      const count = this.asked ? counts[k] : 0;
      bar.replaceChildren(h("progress", { max: Math.max(1, all), value: count, "aria-label": "Predictions" }), h("b", { text: String(count) }));
      bar.hidden = !this.asked;
    });
    const rows = [...standings].sort((a, b) => b.right - a.right || a.made - b.made).map((one) => h("tr", {}, h("td", { text: one.name }), h("td", { text: `${one.right} of ${one.made} right` })));
    this.table.replaceChildren(h("caption", { text: "Predictions of the questions that were answered" }), ...rows);
  }
}
