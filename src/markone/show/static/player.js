// A player for histories of learning. Plain ES module: no library, no request, text only through textContent.
// The page of `markone.show.animate` holds it inline; the laboratory in the browser imports it as it is.

/**
 * @typedef {{step: number, epoch: number, example: number, E: number|null, after: number|null, change: number,
 *   updates: number, w?: number[], sizes?: number[], prototypes?: number[][], cells?: string}} Frame
 * @typedef {{kind: "plane"|"prototypes"|"memory"|"field", title: string, note: string, axes: string[],
 *   classes: string[], points: number[][], extent: number[], shape?: number[], frames: Frame[],
 *   series: {name: string, values: (number|null)[]}[]}} Film
 */

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 420;
const SHAPES = ["disc", "square", "triangle", "diamond"];

/** @param {string} name @param {Record<string, string|number>} attributes @param {Element} [parent] */
export function svg(name, attributes = {}, parent = undefined) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (parent) parent.appendChild(element);
  return element;
}

/** @param {string} name @param {Element} parent @param {string} [text] @param {Record<string, string>} [attributes] */
export function html(name, parent, text = "", attributes = {}) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

/** @param {number|null|undefined} value */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}

/** Shape by class, distinct without colour. @param {number} c */
export function mark(x, y, size, c, parent) {
  const shape = SHAPES[c % SHAPES.length];
  const look = { class: `mark class${c % 4}` };
  if (shape === "disc") return svg("circle", { cx: x, cy: y, r: size, ...look }, parent);
  if (shape === "square")
    return svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...look }, parent);
  const [a, b] = shape === "triangle" ? [[0, -1.2], [1.1, 0.9]] : [[0, -1.3], [1.3, 0]];
  const corners = shape === "triangle" ? [a, b, [-b[0], b[1]]] : [a, b, [0, 1.3], [-1.3, 0]];
  const points = corners.map(([u, v]) => `${x + size * u},${y + size * v}`).join(" ");
  return svg("polygon", { points, ...look }, parent);
}

/** The part of w1 x + w2 y + w0 = level inside the frame. @returns {number[][]|null} */
export function lineInside(w, level, [left, right, bottom, top]) {
  const [a, b, c] = [w[0], w[1], w[2] - level];
  if (a === 0 && b === 0) return null;
  const ends = [];
  const add = (x, y) => {
    const inside = x >= left - 1e-9 && x <= right + 1e-9 && y >= bottom - 1e-9 && y <= top + 1e-9;
    if (inside && !ends.some(([u, v]) => Math.abs(u - x) + Math.abs(v - y) < 1e-9)) ends.push([x, y]);
  };
  if (b !== 0) for (const x of [left, right]) add(x, -(a * x + c) / b);
  if (a !== 0) for (const y of [bottom, top]) add(-(b * y + c) / a, y);
  return ends.length >= 2 ? [ends[0], ends[1]] : null;
}

export class Player {
  /** @param {HTMLElement} root @param {Film} film */
  constructor(root, film) {
    this.root = root;
    this.film = film;
    this.now = 0;
    this.timer = 0;
    this.delay = 400;
    this.oneByOne = film.frames.some((frame) => frame.example >= 0);
    root.classList.add("markone-player");
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", film.title);
    html("h1", root, film.title);
    if (film.note) html("p", root, film.note, { class: "note" });
    const columns = html("div", root, "", { class: "columns" });
    this.picture = html("div", columns, "", { class: "picture" });
    this.side = html("div", columns, "", { class: "side" });
    this.buildControls();
    this.readout = html("dl", this.side, "", { class: "readout", "aria-live": "polite" });
    this.charts = film.series.map((series) => this.buildChart(series));
    this.tip = html("div", root, "", { class: "tip", role: "status", hidden: "" });
    root.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.pause());
    this.show(0);
  }

  buildControls() {
    const bar = html("div", this.picture, "", { class: "bar" });
    const button = (label, text, act) => {
      const made = html("button", bar, text, { type: "button", "aria-label": label, title: label });
      made.addEventListener("click", act);
      return made;
    };
    button("first step", "|◀", () => this.show(0));
    button("back", "‹", () => this.step(-1));
    this.playButton = button("play", "▶", () => this.toggle());
    button("forward", "›", () => this.step(1));
    button("last step", "▶|", () => this.show(this.film.frames.length - 1));
    this.slider = /** @type {HTMLInputElement} */ (
      html("input", bar, "", { type: "range", min: "0", value: "0", "aria-label": "step" })
    );
    this.slider.max = String(this.film.frames.length - 1);
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    const speed = /** @type {HTMLSelectElement} */ (html("select", bar, "", { "aria-label": "speed" }));
    for (const [text, delay] of [["slow", 1000], ["normal", 400], ["fast", 120]])
      html("option", speed, String(text), { value: String(delay) });
    speed.value = "400";
    speed.addEventListener("change", () => {
      this.delay = Number(speed.value);
      if (this.timer) this.play();
    });
  }

  key(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLButtonElement && event.key === " ") return;
    const acts = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), " ": () => this.toggle(),
      Home: () => this.show(0), End: () => this.show(this.film.frames.length - 1),
      PageDown: () => this.step(10), PageUp: () => this.step(-10),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  play() {
    this.pause();
    if (this.now === this.film.frames.length - 1) this.show(0);
    this.timer = window.setInterval(() => {
      if (this.now + 1 >= this.film.frames.length) this.pause();
      else this.show(this.now + 1);
    }, this.delay);
    this.setPlayButton("pause", "▮▮");
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.setPlayButton("play", "▶");
  }

  setPlayButton(label, text) {
    this.playButton.textContent = text;
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  /** Step by hand and stop playing. @param {number} by */
  step(by) {
    this.pause();
    this.show(this.now + by);
  }

  /** @param {number} k */
  show(k) {
    this.now = Math.max(0, Math.min(this.film.frames.length - 1, k));
    this.slider.value = String(this.now);
    this.draw(this.film.frames[this.now]);
    this.showReadout(this.film.frames[this.now]);
    for (const chart of this.charts) chart.move(this.now);
    this.root.dispatchEvent(new CustomEvent("frame", { detail: this.now }));
  }

  x(value) {
    const [left, right] = this.film.extent;
    return ((value - left) / (right - left)) * SIZE;
  }

  y(value) {
    const [, , bottom, top] = this.film.extent;
    return ((top - value) / (top - bottom)) * SIZE;
  }

  /** @param {Frame} frame */
  draw(frame) {
    const view = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
    view.setAttribute("aria-label", this.sentence(frame));
    if (frame.cells && this.film.shape) this.drawCells(view, frame.cells, this.film.shape);
    if (frame.w) this.drawBoundary(view, frame.w);
    this.film.points.forEach(([x, y, c], mu) => this.drawExample(view, x, y, c, mu, frame));
    (frame.prototypes || []).forEach(([x, y, c]) =>
      mark(this.x(x), this.y(y), 9, c, view).classList.add("prototype"));
    if (this.film.kind !== "memory") {
      svg("text", { x: SIZE / 2, y: SIZE - 6, class: "axis" }, view).textContent = this.film.axes[0];
      svg("text", { x: 16, y: SIZE / 2, class: "axis" }, view).textContent = this.film.axes[1];
    }
    if (this.view) this.view.replaceWith(view);
    else this.picture.prepend(view);
    this.view = view;
  }

  drawCells(view, cells, [rows, columns]) {
    const [width, height] = [SIZE / columns, SIZE / rows];
    for (let k = 0; k < cells.length; k += 1) {
      const place = { x: (k % columns) * width, y: Math.floor(k / columns) * height };
      const kind = this.film.kind === "memory" ? "cell" : "region";
      svg("rect", { ...place, width: width + 0.3, height: height + 0.3, class: `${kind} on${cells[k]}` }, view);
    }
  }

  drawBoundary(view, w) {
    const ends = lineInside(w, 0, this.film.extent);
    if (ends) {
      const [[a, b], [c, d]] = ends;
      svg("line", { x1: this.x(a), y1: this.y(b), x2: this.x(c), y2: this.y(d), class: "boundary" }, view);
    }
    const length = Math.hypot(w[0], w[1]);
    if (length === 0) return;
    const [left, right, bottom, top] = this.film.extent;
    const scale = (0.22 * Math.min(right - left, top - bottom)) / length;
    const foot = [-w[2] * w[0] / length ** 2, -w[2] * w[1] / length ** 2];
    const tip = [foot[0] + scale * w[0], foot[1] + scale * w[1]];
    svg("line", { x1: this.x(foot[0]), y1: this.y(foot[1]), x2: this.x(tip[0]), y2: this.y(tip[1]), class: "arrow" }, view);
    svg("circle", { cx: this.x(tip[0]), cy: this.y(tip[1]), r: 4, class: "tipmark" }, view);
    svg("text", { x: this.x(tip[0]) + 7, y: this.y(tip[1]) - 6, class: "name" }, view).textContent = "w";
  }

  drawExample(view, x, y, c, mu, frame) {
    if (mu === frame.example) svg("circle", { cx: this.x(x), cy: this.y(y), r: 14, class: frame.change ? "learned" : "seen" }, view);
    const made = mark(this.x(x), this.y(y), frame.sizes ? frame.sizes[mu] : 5, c, view);
    made.addEventListener("pointerenter", () => this.hover(made, this.example(mu, frame)));
    made.addEventListener("pointerleave", () => this.hover(null, ""));
  }

  example(mu, frame) {
    const [x, y, c] = this.film.points[mu];
    const words = [`example ${mu + 1}, class ${this.film.classes[c]}`, `(${number(x)}, ${number(y)})`];
    if (frame.w) {
      const side = c === 0 ? 1 : -1;
      words.push(`E = ${number(side * (frame.w[0] * x + frame.w[1] * y + frame.w[2]))}`);
    }
    return words.join(", ");
  }

  hover(element, text) {
    this.tip.hidden = !element;
    this.tip.textContent = text;
    if (!element) return;
    const box = element.getBoundingClientRect();
    const home = this.root.getBoundingClientRect();
    this.tip.style.left = `${Math.min(box.right - home.left + 8, home.width - 190)}px`;
    this.tip.style.top = `${box.top - home.top - 8}px`;
  }

  /** Labels of a step: a memory updates neurons, other students present examples. */
  words() {
    return this.film.kind === "memory" ? ["neuron", "flips", "is unchanged"] : ["example", "is learned", "is classified correctly"];
  }

  sentence(frame) {
    if (frame.step === 0) return "the start";
    const [what, done, still] = this.words();
    const which = frame.example >= 0 ? `${what} ${frame.example + 1} ` : "";
    const did = frame.example < 0 ? "" : frame.change ? done : still;
    return which ? `step ${frame.step}: ${which}${did}` : `step ${frame.step}`;
  }

  showReadout(frame) {
    this.readout.replaceChildren();
    const rows = [["step", frame.step]];
    if (this.oneByOne) rows.push(["epoch", frame.epoch], ["updates M", frame.updates]);
    if (frame.example >= 0) rows.push([this.words()[0], frame.example + 1], ["E before", frame.E], ["E after", frame.after]);
    for (const series of this.film.series) rows.push([series.name, series.values[this.now]]);
    html("p", this.readout, this.sentence(frame), { class: "sentence" });
    for (const [name, value] of rows) {
      html("dt", this.readout, String(name));
      html("dd", this.readout, number(/** @type {number} */ (value)));
    }
  }

  /** A small curve with a cursor; a click goes to that frame. */
  buildChart({ name, values }) {
    const [width, height, margin] = [300, 84, 8];
    const known = values.filter((v) => v !== null && Number.isFinite(v));
    const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
    const at = (k) => margin + ((width - 2 * margin) * k) / Math.max(1, values.length - 1);
    const up = (v) => height - margin - ((height - 2 * margin) * (v - low)) / (high - low || 1);
    const box = html("figure", this.side);
    html("figcaption", box, name);
    const view = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name} over steps` }, box);
    svg("line", { x1: margin, x2: width - margin, y1: up(0), y2: up(0), class: "zero" }, view);
    const path = values.map((v, k) => (v === null ? "" : `${k && values[k - 1] !== null ? "L" : "M"}${at(k)} ${up(v)}`));
    svg("path", { d: path.join(""), class: "curve" }, view);
    const cursor = svg("line", { y1: margin, y2: height - margin, class: "cursor" }, view);
    const place = (event) => {
      const bounds = view.getBoundingClientRect();
      const k = Math.round((((event.clientX - bounds.left) / bounds.width) * width - margin) / ((width - 2 * margin) / Math.max(1, values.length - 1)));
      return Math.max(0, Math.min(values.length - 1, k));
    };
    view.addEventListener("pointermove", (event) => this.hover(cursor, `step ${this.film.frames[place(event)].step}: ${name} = ${number(values[place(event)])}`));
    view.addEventListener("pointerleave", () => this.hover(null, ""));
    view.addEventListener("click", (event) => this.show(place(event)));
    return { move: (k) => { cursor.setAttribute("x1", String(at(k))); cursor.setAttribute("x2", String(at(k))); } };
  }
}

/** @param {HTMLElement} root @param {Film} film */
export function mount(root, film) {
  return new Player(root, film);
}
