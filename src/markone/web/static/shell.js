// The frame of every screen: controls, share, copy, the panel "What you see", lessons.

import { buildControls } from "./controls.js";
import { copyToClipboard, h, showToast, renderText } from "./dom.js";
import { renderFormula } from "./formula.js";
import { exported } from "./offline/channel.js";
import { toFragment } from "./state.js";
import { renderSentence, hideTip } from "./tips.js";

const SAVE_EVERY = 400;
// Milliseconds without a frame after which the page says that code is being compiled.
const LATE = 1200;
const COMPILING = "Compiling, about 8 s; done once.";

export class Shell {
  constructor(host, link, known) {
    this.host = host;
    this.link = link;
    this.known = known;
    /** @type {Record<string, any>} */
    this.state = {};
    this.screen = known.screens[0];
    this.lesson = "";
    this.saved = 0;
    this.address = location.hash;
    /** @type {any} */
    this.current = null;
  }

  /** @param {{ screen: any, state: any, lesson: string }} wanted */
  async openScreen({ screen, state, lesson }) {
    const opening = (this.opening = {});
    this.current?.destroy?.();
    this.guide?.destroy();
    this.current = null;
    this.shown = null;
    hideTip();
    Object.assign(this, { screen, state, lesson, saved: 0, address: location.hash });
    const guide = this.known.lessons?.find((one) => one.name === lesson) ?? null;
    this.controls = buildControls(screen.schema, { hidden: guide?.hidden ?? [], locked: guide?.locked ?? [], onChange: (name, value) => this.setState({ [name]: value }) });
    this.stage = h("section", { class: "stage", id: "stage", tabindex: "-1", "aria-label": screen.title });
    this.notice = h("div", { class: "notice", role: "alert", hidden: true });
    this.left = h("aside", { class: "left", "aria-label": "Controls" }, this.controls.node);
    const middle = h("div", { class: "middle" }, this.buildHeading(), this.notice, this.stage);
    const beside = guide ? h("aside", { class: "guide", "aria-label": "Lesson" }) : null;
    this.host.replaceChildren(h("div", { class: `screen of-${screen.name}${guide ? " in-lesson" : ""}` }, this.left, beside ?? "", middle, this.buildPanel()));
    this.controls.update(state);
    const [module, guides] = await Promise.all([import(`./screens/${screen.away ? "away" : screen.name}.js`), guide ? import("./lesson.js") : null]);
    // Another screen may have been opened meanwhile.
    if (this.opening !== opening) return;
    this.guide = guides ? new guides.Lesson(this, guide) : null;
    if (this.guide) beside.append(this.guide.node);
    if (this.guide?.predicted) {
      this.hideStage(true);
      await this.guide.predicted;
      if (this.opening !== opening) return;
      this.hideStage(false);
    }
    this.current = new module.default(this, this.stage);
    this.current.update(this.state, null);
  }

  /** Hide the stage and disable the controls until a prediction is made. */
  hideStage(on) {
    this.left.inert = on;
    this.left.classList.toggle("veiled", on);
    this.stage.replaceChildren(...(on ? [h("p", { class: "veil", text: "Make your prediction first; the picture is shown after it." })] : []));
  }

  buildHeading() {
    const button = (words, action) => h("button", { type: "button", text: words, on: { click: action } });
    const actions = h("div", { class: "actions" },
      button("Share link", () => { this.saveAddress(true); copyToClipboard(location.href, "Link"); }),
      exported ? null : button("Copy as Python", () => this.copyText("python", "Python")),
      this.screen.toml && !exported ? button("as TOML", () => this.copyText("toml", "Experiment")) : null,
      button("Start over", () => { location.hash = this.guide?.lesson.link ?? `#/${this.screen.name}`; }));
    return h("div", { class: "heading" }, h("h1", { text: this.screen.title }), actions);
  }

  async copyText(want, words) {
    try {
      this.lastText = await this.link.requestText(this.screen.name, this.state, want);
      await copyToClipboard(this.lastText, words);
      this.shown?.remove();
      const close = h("button", { type: "button", class: "quiet", text: "Close", on: { click: () => this.shown.remove() } });
      this.shown = h("div", { class: "source" }, h("div", { class: "bar" }, h("span", { text: `${words}, as copied` }), close), h("pre", { tabindex: "0", text: this.lastText }));
      this.stage.after(this.shown);
    } catch (error) { showToast(error.message); }
  }

  buildPanel() {
    const { screen, known } = this;
    if (!screen.sentences.length) return "";
    return h("aside", { class: "right", "aria-label": "What you see" },
      h("h2", { text: "What you see" }),
      h("ol", { class: "sentences" }, screen.sentences.map((sentence) => h("li", {}, renderSentence(sentence, known.glossary)))),
      screen.formula ? h("div", { class: "formula" }, screen.formula.split(";").map((part) => renderFormula(part.trim()))) : null,
      screen.holds ? h("p", { class: "holds" }, h("b", { text: "Where it holds. " }), renderText(screen.holds)) : null,
      h("p", { class: "section" }, renderText(screen.section)));
  }

  /** Change the state and update controls, address and picture. */
  setState(patch, { redraw = true } = {}) {
    const changed = Object.keys(patch).filter((name) => JSON.stringify(patch[name]) !== JSON.stringify(this.state[name]));
    if (!changed.length) return;
    this.state = { ...this.state, ...patch };
    this.controls.update(this.state);
    this.saveAddress(false);
    if (redraw) this.current?.update(this.state, changed);
  }

  /** Write the state into the address, at most a few times a second: browsers limit this. */
  saveAddress(now) {
    clearTimeout(this.timer);
    const write = () => {
      // A link was followed and its event is not handled yet: the new address must not be overwritten.
      if (location.hash !== this.address || exported?.start) return;
      this.saved = performance.now();
      history.replaceState(null, "", toFragment(this.screen, this.state, { lesson: this.lesson }));
      this.address = location.hash;
    };
    if (now || performance.now() - this.saved > SAVE_EVERY) write();
    else this.timer = setTimeout(write, SAVE_EVERY);
  }

  /** Show a message above the picture; an empty one hides it. */
  showMessage(sentence) {
    this.notice.hidden = !sentence;
    this.notice.replaceChildren(h("p", {}, renderText(sentence ?? "")));
  }

  /** Say inside the first picture that code is being compiled. */
  showCompiling(on) {
    this.compiling?.remove();
    if (!on) return;
    this.compiling = h("p", { class: "compiling", role: "status", text: COMPILING });
    (this.stage.querySelector(".frame") ?? this.stage).append(this.compiling);
  }

  /** Report the values that conditions of lessons refer to. */
  reportFacts(facts) { this.known.facts = facts; this.guide?.checkTasks(facts); }

  /** Start a computation. Until the compiled code has been loaded or made, say why nothing is drawn. */
  request({ onFrame, onRefused = (sentence, _where) => this.showMessage(sentence), ...listener }, state = this.state) {
    let late = 0;
    const wait = () => { clearTimeout(late); if (!this.link.warm) late = window.setTimeout(() => this.showCompiling(true), LATE); };
    const end = () => { clearTimeout(late); this.showCompiling(false); };
    const job = this.link.request(this.screen.name, state, {
      ...listener,
      onRefused: (sentence, where) => { end(); onRefused(sentence, where); },
      onFrame: (data, last) => { end(); onFrame(data, last); },
    });
    wait();
    return { ...job, more: () => { wait(); job.more(); }, stop: () => { end(); job.stop(); } };
  }
}
