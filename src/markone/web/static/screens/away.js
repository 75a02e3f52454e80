// A screen that an exported page does not have.

import { h, renderText } from "../dom.js";

export default class Away {
  constructor(shell, stage) {
    const known = h("a", { href: "#/start", text: "Lessons that work here" });
    stage.append(h("div", { class: "veil" }, h("p", {}, renderText(`${shell.screen.title} needs \`markone lab\`: it computes more than this page can. `), known)));
  }

  update() {}

  destroy() {}
}
