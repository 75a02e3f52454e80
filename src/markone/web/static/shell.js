// What every screen has round its picture: controls, share, copy, the panel "What you see", lessons.

import { buildControls } from "./controls.js";
import { copy, h, toast, withSubscripts } from "./dom.js";
import { formula } from "./formula.js";
import { toFragment } from "./state.js";
import { explained, hideTip } from "./tips.js";

const SAVE_EVERY = 400;

export class Shell {
  constructor(host, link, known) {
    Object.assign(this, { host, link, known, state: {}, screen: known.screens[0], lesson: "" });
    this.current = null;
  }

  /** @param {{ screen: any, state: any, lesson: string }} wanted */
  async open({ screen, state, lesson }) {
    const opening = (this.opening = {});
    this.current?.destroy?.();
    this.current = null;
    this.shown = null;
    hideTip();
    Object.assign(this, { screen, state, lesson, saved: 0 });
    const guide = this.known.lessons?.find((one) => one.name === lesson) ?? null;
    this.controls = buildControls(screen.schema, { hidden: guide?.hidden ?? [], locked: guide?.locked ?? [], onChange: (name, value) => this.set({ [name]: value }) });
    this.stage = h("section", { class: "stage", id: "stage", tabindex: "-1", "aria-label": screen.title });
    this.notice = h("div", { class: "notice", role: "alert", hidden: true });
    this.left = h("aside", { class: "left", "aria-label": "Controls" }, this.controls.node);
    const middle = h("div", { class: "middle" }, this.heading(), this.notice, this.stage);
    this.host.replaceChildren(h("div", { class: `screen of-${screen.name}` }, this.left, middle, this.panel()));
    this.controls.update(state);
    const [module, guides] = await Promise.all([import(`./screens/${screen.name}.js`), guide ? import("./lesson.js") : null]);
    // Whoever was opened later has the page.
    if (this.opening !== opening) return;
    this.guide = guides ? new guides.Lesson(this, guide) : null;
    if (this.guide) this.stage.before(this.guide.node);
    if (this.guide?.predicted) {
      this.veil(true);
      await this.guide.predicted;
      if (this.opening !== opening) return;
      this.veil(false);
    }
    this.current = new module.default(this, this.stage);
    this.current.update(this.state, null);
  }

  /** Until a prediction is made nothing is computed, shown or moved. */
  veil(on) {
    this.left.inert = on;
    this.left.classList.toggle("veiled", on);
    this.stage.replaceChildren(...(on ? [h("p", { class: "veil", text: "Make your prediction first: the picture comes after it." })] : []));
  }

  heading() {
    const button = (words, action) => h("button", { type: "button", text: words, on: { click: action } });
    const actions = h("div", { class: "actions" },
      button("Share link", () => { this.save(true); copy(location.href, "Link"); }),
      button("Copy as Python", () => this.copyText("python", "Python")),
      this.screen.toml ? button("as TOML", () => this.copyText("toml", "Experiment")) : null,
      button("Start over", () => { location.hash = this.guide?.lesson.link ?? `#/${this.screen.name}`; }));
    return h("div", { class: "heading" }, h("h1", { text: this.screen.title }), actions);
  }

  async copyText(want, words) {
    try {
      this.lastText = await this.link.text(this.screen.name, this.state, want);
      await copy(this.lastText, words);
      this.shown?.remove();
      const close = h("button", { type: "button", class: "quiet", text: "Close", on: { click: () => this.shown.remove() } });
      this.shown = h("div", { class: "source" }, h("div", { class: "bar" }, h("span", { text: `${words}, as copied` }), close), h("pre", { tabindex: "0", text: this.lastText }));
      this.stage.after(this.shown);
    } catch (error) { toast(error.message); }
  }

  panel() {
    const { screen, known } = this;
    return h("aside", { class: "right", "aria-label": "What you see" },
      h("h2", { text: "What you see" }),
      h("ol", { class: "sentences" }, screen.sentences.map((sentence) => h("li", {}, explained(sentence, known.glossary)))),
      screen.formula ? h("div", { class: "formula" }, screen.formula.split(";").map((part) => formula(part.trim()))) : null,
      screen.holds ? h("p", { class: "holds" }, h("b", { text: "Where it holds. " }), withSubscripts(screen.holds)) : null,
      h("p", { class: "section" }, withSubscripts(screen.section)));
  }

  /** Change the state; the page, the address and the picture follow. */
  set(patch, { redraw = true } = {}) {
    const changed = Object.keys(patch).filter((name) => JSON.stringify(patch[name]) !== JSON.stringify(this.state[name]));
    if (!changed.length) return;
    this.state = { ...this.state, ...patch };
    this.controls.update(this.state);
    this.save(false);
    if (redraw) this.current?.update(this.state, changed);
  }

  /** Browsers refuse hundreds of changes of the address: at most some a second. */
  save(now) {
    clearTimeout(this.timer);
    const write = () => {
      this.saved = performance.now();
      history.replaceState(null, "", toFragment(this.screen, this.state, { lesson: this.lesson }));
    };
    if (now || performance.now() - this.saved > SAVE_EVERY) write();
    else this.timer = setTimeout(write, SAVE_EVERY);
  }

  /** A sentence above the picture, or none. */
  say(sentence) {
    this.notice.hidden = !sentence;
    this.notice.replaceChildren(h("p", {}, withSubscripts(sentence ?? "")));
  }

  /** What a screen knows now, for the checks of a lesson. */
  facts(facts) { this.known.facts = facts; this.guide?.check(facts); }

  request(listener, state = this.state) {
    return this.link.request(this.screen.name, state, { onRefused: (sentence) => this.say(sentence), ...listener });
  }
}
