// The socket: requests with tickets, frames on demand, a new connection when one is lost.

/** @typedef {{ onFrame: (data: any, last: boolean) => void, onRefused: (sentence: string, where: string[]) => void, retry: () => void }} Listener */

export class Link extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    /** @type {Map<number, Listener & { message: any }>} */
    this.open = new Map();
    this.failures = 0;
    this.ended = "";
    this.connect();
    // Somebody is there as long as the page is looked at.
    setInterval(() => { if (!document.hidden) this.say({ kind: "here" }); }, 60000);
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !this.alive()) this.connect(); });
  }

  alive() { return this.socket && this.socket.readyState <= 1; }

  connect() {
    if (this.alive()) return;
    this.ended = "";
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      for (const job of this.open.values()) this.say(job.message);
    });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  lost() {
    if (this.ended) return this.tell("ended", this.ended);
    this.failures += 1;
    this.tell("away", "Connecting…");
    setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.failures));
  }

  tell(kind, detail) { this.dispatchEvent(new CustomEvent(kind, { detail })); }

  say(message) { if (this.socket.readyState === 1) this.socket.send(JSON.stringify(message)); }

  heard(message) {
    if (message.kind === "ready") this.tell("ready", message);
    if (message.kind === "ended") { this.ended = message.sentence; this.tell("ended", message.sentence); }
    if (message.kind === "refused" && message.ticket === null) this.tell("refused", message.sentence);
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

  /** Start computing; `more()` asks for the next frame, `stop()` ends it. @param {Partial<Listener>} listener */
  request(screen, state, listener, want = "frames") {
    const ticket = this.next++;
    const message = { kind: "start", ticket, want, work: { screen, state } };
    const job = { onFrame: () => {}, onRefused: (sentence) => this.tell("refused", sentence), retry: () => {}, ...listener, message };
    this.open.set(ticket, job);
    this.say(message);
    return {
      more: () => { if (this.open.has(ticket)) this.say({ kind: "more", ticket }); },
      stop: () => { if (this.open.delete(ticket)) this.say({ kind: "stop", ticket }); },
      running: () => this.open.has(ticket),
    };
  }

  /** The state as text: Python or TOML. */
  text(screen, state, want) {
    return new Promise((resolve, reject) => this.request(screen, state, {
      onFrame: (data) => resolve(data.text),
      onRefused: (sentence) => reject(new Error(sentence)),
    }, want));
  }
}
