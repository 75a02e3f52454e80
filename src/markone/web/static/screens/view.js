// What all screens share: figures, and the frames of a state.

import { Figure } from "../chart/figure.js";

export class View {
  constructor(shell, stage) {
    this.shell = shell;
    this.stage = stage;
    /** @type {Figure[]} */
    this.figures = [];
    /** @type {any} */
    this.player = null;
    /** @type {any} */
    this.data = {};
  }

  /** A figure that ends with the screen. */
  addFigure(host, options) {
    this.figures.push(new Figure(host, options));
    return this.figures[this.figures.length - 1];
  }

  destroy() {
    this.job?.stop();
    this.player?.pause();
    for (const figure of this.figures) figure.destroy();
  }

  /** Request frame after frame while the page is visible. By default their parts are gathered in `data` and drawn. */
  requestFrames(state, onFrame = (data, _last) => { Object.assign(this.data, data); this.draw(); }, onRefused = undefined) {
    this.job?.stop();
    this.shell.showMessage("");
    const job = this.job = this.shell.request({ onFrame: (data, last) => { onFrame(data, last); if (!last) requestAnimationFrame(() => job.more()); }, onRefused }, state);
  }

  draw() {}
}
