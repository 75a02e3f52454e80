// The channel to what computes: the socket of the laboratory, or in an exported page a worker with the same messages.

/** Everything an exported page was made with; undefined if there is a laboratory. */
export const exported = /** @type {any} */ (globalThis).markoneExport;

/** A worker behind the interface of a WebSocket. */
class WorkerChannel extends EventTarget {
  constructor() {
    super();
    this.readyState = 0;
    // From a file a worker can only be started from text.
    const url = URL.createObjectURL(new Blob([exported.worker], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.addEventListener("message", ({ data }) => {
      if (this.readyState === 0) { this.readyState = 1; URL.revokeObjectURL(url); this.dispatchEvent(new Event("open")); }
      this.dispatchEvent(new MessageEvent("message", { data }));
    });
    this.worker.postMessage({ module: exported.module, tables: exported.tables, catalogue: exported.catalogue });
  }

  send(text) { this.worker.postMessage(text); }
}

/** The kernel of a notebook, reached through the widget that shows this page in a frame. */
class KernelChannel extends EventTarget {
  constructor() {
    super();
    this.readyState = 0;
    window.addEventListener("message", ({ ports: [port] }) => {
      this.port = port;
      port.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.readyState = 1;
      this.dispatchEvent(new Event("open"));
    }, { once: true });
    parent.postMessage("", "*");
  }

  send(text) { this.port?.postMessage(text); }
}

export function openChannel() {
  if (exported?.start) return new KernelChannel();
  if (exported) return new WorkerChannel();
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
}

async function loadFile(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`The laboratory answered ${answer.status}.`);
  return answer.json();
}

/** The pictures of the lessons, as SVG. */
export async function loadPictures() { return exported ? exported.pictures : loadFile("/static/pictures.json"); }

/** What the page shows: screens, lessons, glossary. */
export async function loadCatalogue() { return exported ? exported.catalogue : loadFile("/catalogue.json"); }
