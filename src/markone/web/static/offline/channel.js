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

export function openChannel() {
  if (exported) return new WorkerChannel();
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
}

/** What the page shows: screens, lessons, glossary. */
export async function loadCatalogue() {
  if (exported) return exported.catalogue;
  const answer = await fetch("/catalogue.json");
  if (!answer.ok) throw new Error(`The laboratory answered ${answer.status}.`);
  return answer.json();
}
