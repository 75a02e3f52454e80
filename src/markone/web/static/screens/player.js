// The player of screens with steps: step, epoch, run at a chosen speed, back.

import { prefersReducedMotion, h, formatNumber } from "../dom.js";

export class Player {
  /** owner: { t, P, stride, go(t) -> more?, end } */
  constructor(owner, speeds, speed, unit = "presentations") {
    this.owner = owner;
    this.running = false;
    const button = (words, key, title, action) => h("button", { type: "button", title: `${title} (${key})`, "aria-keyshortcuts": key, on: { click: action }, text: words });
    this.runButton = button("Run", "Space", "Run or pause", () => this.toggle());
    this.runButton.classList.add("primary");
    this.speed = h("select", { "aria-label": "Speed" }, speeds.map((value) => h("option", { value, selected: value === speed, text: `${value} / s` })));
    this.count = h("output", { class: "count" });
    const epoch = unit === "presentations" ? button("Epoch", "e", "To the end of the epoch", () => this.step(this.stepsToEpochEnd())) : null;
    this.node = h("div", { class: "player", role: "toolbar", "aria-label": "Player" },
      button("Reset", "Home", "Back to the start", () => this.step(-owner.t)),
      button("Back", "b", "One step back", () => this.step(-owner.stride)),
      button("Step", "s", "One step", () => this.step(owner.stride)),
      epoch, this.runButton, this.speed, this.count);
    this.unit = unit;
    this.keys = (event) => this.handleKey(event);
    document.addEventListener("keydown", this.keys);
  }

  stepsToEpochEnd() { const { t, P } = this.owner; return P - (t % P); }

  handleKey(event) {
    if (!this.node.isConnected) return document.removeEventListener("keydown", this.keys);
    // Keys typed into fields are text; a focused element keeps the keys it uses itself.
    const taken = { " ": "button, a, summary, input", Home: "input[type=range]" }[event.key] ?? "";
    const writes = "textarea, select, input:not([type=range], [type=checkbox])";
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.([writes, taken].filter(Boolean).join())) return;
    const action = { s: () => this.step(this.owner.stride), b: () => this.step(-this.owner.stride), e: () => this.step(this.stepsToEpochEnd()), " ": () => this.toggle(), Home: () => this.step(-this.owner.t) }[event.key];
    if (action) { event.preventDefault(); action(); }
  }

  step(by) { this.pause(); this.goTo((this.wanted?.t ?? this.owner.t) + by); }

  goTo(t) { this.wanted = this.owner.go(t) && this.owner.t < t ? { t, from: this.owner.t } : null; }

  /** Called when frames have arrived: make the steps that were asked for before they were computed. */
  catchUp() { if (this.wanted && !this.running && this.wanted.from === this.owner.t) this.goTo(this.wanted.t); }

  toggle() { if (this.running) this.pause(); else this.run(); }

  run() {
    this.running = true;
    this.runButton.textContent = "Pause";
    let last = performance.now(), pending = 0;
    const frame = (now) => {
      if (!this.running) return;
      // The clock runs on in a hidden tab: limit the step.
      pending += (Math.min(now - last, 100) / 1000) * Number(this.speed.value) * (this.owner.stride > 1 ? this.owner.stride / 8 : 1);
      last = now;
      const steps = Math.floor(pending / this.owner.stride) * this.owner.stride;
      // With reduced motion: one picture a second.
      if (steps >= (prefersReducedMotion() ? Math.max(1, Number(this.speed.value)) : 1)) { pending -= steps; if (!this.owner.go(this.owner.t + steps)) return this.pause(); }
      this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  pause() {
    this.running = false;
    this.runButton.textContent = "Run";
    cancelAnimationFrame(this.frame);
  }

  /** finished: converged or at the end; stopped: at the end of what is computed, not converged. */
  show(t, P, finished, stopped = false) {
    const epochs = this.unit === "presentations" ? ` (${formatNumber(Math.floor((t / P) * 100) / 100)} epochs)` : "";
    this.count.textContent = `t = ${t}${epochs}${finished && t ? ", done" : stopped && t ? ", stopped, not converged" : ""}`;
  }
}
