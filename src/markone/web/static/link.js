// The socket: requests with tickets, frames on demand, reconnection.

import { openChannel } from "./offline/channel.js";

/** @typedef {{ onFrame: (data: any, last: boolean) => void, onRefused: (sentence: string, where: string[]) => void, retry: () => void }} Listener */

export class Link extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    /** @type {Map<number, Listener & { message: any }>} */
    this.open = new Map();
    this.failures = 0;
    this.ended = "";
    /** Whether all compiled code is loaded. */
    this.warm = false;
    this.connect();
    // A visible page keeps its session alive.
    setInterval(() => { if (!document.hidden) this.send({ kind: "here" }); }, 60000);
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !this.isOpen()) this.connect(); });
  }

  isOpen() { return this.socket && this.socket.readyState <= 1; }

  connect() {
    if (this.isOpen()) return;
    this.ended = "";
    this.socket = openChannel();
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      for (const job of this.open.values()) this.send(job.message);
    });
    this.socket.addEventListener("message", (/** @type {MessageEvent} */ event) => this.handleMessage(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.handleClose());
  }

  handleClose() {
    if (this.ended) return this.emit("ended", this.ended);
    this.failures += 1;
    this.emit("away", "Connecting…");
    setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.failures));
  }

  emit(kind, detail) { this.dispatchEvent(new CustomEvent(kind, { detail })); }

  send(message) { if (this.socket.readyState === 1) this.socket.send(JSON.stringify(message)); }

  handleMessage(message) {
    if (message.kind === "ready") { this.warm = message.done >= message.of; this.emit("ready", message); }
    if (message.kind === "ended") { this.ended = message.sentence; this.emit("ended", message.sentence); }
    if (message.kind === "refused" && message.ticket === null) this.emit("refused", message.sentence);
    const job = this.open.get(message.ticket);
    if (!job) return;
    if (message.kind === "frame") {
      if (message.last) this.open.delete(message.ticket);
      job.onFrame(message.data, message.last);
    } else if (message.kind === "refused") {
      this.open.delete(message.ticket);
      job.onRefused(message.sentence, message.where);
    }
  }

  /** Start a computation; `more()` requests the next frame, `stop()` ends it. @param {Partial<Listener>} listener */
  request(screen, state, listener, want = "frames") {
    const ticket = this.next++;
    const message = { kind: "start", ticket, want, work: { screen, state } };
    const job = { onFrame: () => {}, onRefused: (sentence) => this.emit("refused", sentence), retry: () => {}, ...listener, message };
    this.open.set(ticket, job);
    this.send(message);
    return {
      more: () => { if (this.open.has(ticket)) this.send({ kind: "more", ticket }); },
      stop: () => { if (this.open.delete(ticket)) this.send({ kind: "stop", ticket }); },
      running: () => this.open.has(ticket),
    };
  }

  /** Request the state as text: Python or TOML. */
  requestText(screen, state, want) {
    return new Promise((resolve, reject) => this.request(screen, state, {
      onFrame: (data) => resolve(data.text),
      onRefused: (sentence) => reject(new Error(sentence)),
    }, want));
  }
}
