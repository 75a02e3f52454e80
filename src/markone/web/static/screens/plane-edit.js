// Place, move and delete points by pointer, touch, keyboard or lasso, or read them from a table.

import { h, s, showToast } from "../dom.js";

// Milliseconds between two requests while a point is dragged.
const GRAB = 16, STEP = 0.1, DRAGGED = 45;
const roundCoordinate = (value) => Math.round(value * 1000) / 1000;

export class PlaneEditor {
  constructor(plane) {
    this.plane = plane;
    this.points = [];
    this.label = 1;
    this.cursor = null;
    const kind = (words, value) => h("button", { type: "button", "aria-pressed": String(value === 1), data: { value: String(value) }, text: words, on: { click: () => this.chooseLabel(value) } });
    this.kinds = [kind("● +1", 1), kind("■ −1", -1)];
    this.lassoButton = h("button", { type: "button", "aria-pressed": "false", text: "Lasso", title: "Draw round points to delete them", on: { click: () => this.setLasso(!this.lassoing) } });
    this.file = h("input", { type: "file", accept: ".csv,.txt,.tsv", class: "offscreen", "aria-label": "A CSV file of two columns and a label", on: { change: () => this.file.files[0]?.text().then((text) => this.readTable(text)) } });
    const open = h("button", { type: "button", text: "CSV…", title: "Two columns and a label: drop a file, paste, or choose one", on: { click: () => this.file.click() } });
    const clear = h("button", { type: "button", text: "Clear", title: "Remove all points", on: { click: () => plane.setPoints([]) } });
    this.pasted = (event) => this.handlePaste(event);
    document.addEventListener("paste", this.pasted);
    this.node = h("div", { class: "editor", role: "group", "aria-label": "Place points" }, h("span", { class: "quietly", text: "Place" }), ...this.kinds, this.lassoButton, open, this.file, clear);
  }

  chooseLabel(value) {
    this.label = value;
    for (const button of this.kinds) button.setAttribute("aria-pressed", String(Number(button.dataset.value) === value));
  }

  setLasso(on) {
    this.lassoing = on;
    this.lassoButton.setAttribute("aria-pressed", String(on));
  }

  attach(figure) {
    const { svg } = figure;
    svg.classList.add("editable");
    svg.addEventListener("pointerdown", (event) => this.pointerDown(figure, event));
    svg.addEventListener("pointermove", (event) => this.pointerMove(figure, event));
    svg.addEventListener("pointerup", (event) => this.pointerUp(figure, event));
    svg.addEventListener("pointercancel", () => { this.held = null; });
    svg.addEventListener("keydown", (event) => this.handleKey(figure, event));
    svg.addEventListener("blur", () => this.showCursor(figure, null));
    svg.addEventListener("dragover", (event) => event.preventDefault());
    svg.addEventListener("drop", (event) => { event.preventDefault(); event.dataTransfer.files[0]?.text().then((text) => this.readTable(text)); });
  }

  /** Read pasted points, unless pasted into a field. */
  handlePaste(event) {
    if (event.target.closest?.("input, select, textarea")) return;
    event.preventDefault();
    this.readTable(event.clipboardData.getData("text"));
  }

  detach() { document.removeEventListener("paste", this.pasted); }

  pointerDown(figure, event) {
    if (event.button) return;
    const at = figure.dataPoint(event);
    if (!at) return;
    focusSvg(figure.svg);
    figure.svg.setPointerCapture(event.pointerId);
    const near = this.lassoing ? null : figure.nearestTip(at.px, at.py, GRAB);
    const mu = near && near.mu !== undefined ? near.mu : null;
    this.held = { mu, from: at, moved: false, path: [[at.px, at.py]], points: this.points };
    if (mu !== null) this.picked = mu;
  }

  pointerMove(figure, event) {
    const at = this.held && figure.dataPoint(event);
    if (!at) return;
    const held = this.held;
    if (Math.hypot(at.px - held.from.px, at.py - held.from.py) > 3) held.moved = true;
    if (this.lassoing) {
      held.path.push([at.px, at.py]);
      figure.over.replaceChildren(s("path", { class: "lasso", d: `M${held.path.map((p) => p.join(",")).join("L")}Z` }));
    } else if (held.mu !== null && held.moved) {
      const points = held.points.map((p, mu) => (mu === held.mu ? [roundCoordinate(at.x), roundCoordinate(at.y), p[2]] : p));
      this.throttle(() => this.plane.setPoints(points));
    }
  }

  pointerUp(figure, event) {
    const held = this.held, at = held && figure.dataPoint(event);
    this.held = null;
    figure.over.replaceChildren();
    if (!held) return;
    // The last place counts at once: later it would stop a student that was started meanwhile.
    this.makeMove();
    if (this.lassoing) {
      const kept = this.points.filter(([x, y]) => !isInside([figure.sx(x), figure.sy(y)], held.path));
      if (kept.length < this.points.length) { showToast(`${this.points.length - kept.length} points deleted.`); this.plane.setPoints(kept); }
      return this.setLasso(false);
    }
    if (held.mu === null && !held.moved && at) this.addPoint(at.x, at.y, event.shiftKey ? -this.label : this.label);
  }

  /** Limit the rate of requests while a point is dragged. */
  throttle(action) {
    this.pending = action;
    this.timer ||= setTimeout(() => this.makeMove(), DRAGGED);
  }

  makeMove() {
    clearTimeout(this.timer);
    this.pending?.();
    this.timer = this.pending = null;
  }

  addPoint(x, y, label) { this.plane.setPoints([...this.points, [roundCoordinate(x), roundCoordinate(y), label]]); }

  removePoint(mu) { if (mu !== null && mu !== undefined && this.points[mu]) this.plane.setPoints(this.points.filter((_, k) => k !== mu)); this.picked = null; }

  /** Arrow keys move the cursor; Enter places a point (shift: other class); Delete removes the nearest. */
  handleKey(figure, event) {
    const [[x0, x1], [y0, y1]] = this.plane.domain;
    const at = this.cursor ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    const size = STEP * (event.shiftKey ? 5 : 1) * ((x1 - x0) / 8);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (way) {
      this.showCursor(figure, { x: Math.min(x1, Math.max(x0, at.x + way[0] * size)), y: Math.min(y1, Math.max(y0, at.y + way[1] * size)) });
    } else if (event.key === "Enter" && this.cursor) this.addPoint(at.x, at.y, event.shiftKey ? -this.label : this.label);
    else if (event.key === "Delete" || event.key === "Backspace") {
      const near = this.cursor ? figure.nearestTip(figure.sx(at.x), figure.sy(at.y), 40) : null;
      this.removePoint(near?.mu ?? this.picked);
    } else return;
    event.preventDefault();
  }

  showCursor(figure, at) {
    this.cursor = at;
    const cross = (x, y) => s("path", { class: "cursor", d: `M${x - 9},${y}H${x + 9}M${x},${y - 9}V${y + 9}` });
    figure.over.replaceChildren(...(at ? [cross(figure.sx(at.x), figure.sy(at.y))] : []));
  }

  /** Read two columns of numbers and a label; the first label found is −1, the other +1, unless they are ±1. */
  readTable(text) {
    const rows = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean).map((line) => line.split(/[,;\t]|\s+/).map((cell) => cell.trim()).filter((cell) => cell !== ""));
    const numeric = rows.filter((row) => row.length >= 3 && Number.isFinite(Number(row[0])) && Number.isFinite(Number(row[1])));
    const labels = [...new Set(numeric.map((row) => row[2]))];
    if (!numeric.length || labels.length > 2) return showToast(numeric.length ? `The third column has ${labels.length} labels; two are needed.` : "No rows of two numbers and a label were found.");
    const signs = labels.every((label) => ["1", "-1", "+1"].includes(label));
    const sign = (label) => (signs ? (label === "-1" ? -1 : 1) : labels.indexOf(label) ? 1 : -1);
    if (numeric.length > 500) showToast(`The first 500 of ${numeric.length} rows are used.`);
    this.plane.setPoints(numeric.slice(0, 500).map((row) => [roundCoordinate(Number(row[0])), roundCoordinate(Number(row[1])), sign(row[2])]));
  }
}

function focusSvg(svg) { svg.focus({ preventScroll: true }); }

function isInside([x, y], path) {
  let odd = false;
  path.forEach(([ax, ay], k) => {
    const [bx, by] = path[(k + 1) % path.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}
