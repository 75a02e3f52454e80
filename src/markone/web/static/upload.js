// Uploads: a file is dropped or chosen, sent to the server, and then identified by its key.

import { h } from "./dom.js";

const LARGEST = 5e6;

/** A drop zone for a file. Calls `taken(key, name)` after the upload; errors go to `shell.showMessage`. */
export function dropZone(shell, stage, taken) {
  const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", id: "table-file", class: "offscreen", on: { change: () => { uploadFile(file.files[0]); file.value = ""; } } });
  const words = h("span", { class: "quietly" });
  const hintText = "or choose a file: CSV, up to 5 MB, 50 000 rows, 500 columns";
  words.textContent = hintText;
  const label = h("label", { class: "drop", for: "table-file" }, h("b", { text: "Drop a table here" }), words);
  const over = (on) => label.classList.toggle("over", on);
  stage.addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
  stage.addEventListener("dragleave", () => over(false));
  stage.addEventListener("drop", (event) => { event.preventDefault(); over(false); uploadFile(event.dataTransfer.files[0]); });

  /** Upload a file. The address holds its key, a digest of its contents. */
  async function uploadFile(chosen) {
    if (!chosen) return;
    if (chosen.size > LARGEST) return shell.showMessage(`${chosen.name} has ${(chosen.size / 1e6).toFixed(1)} MB; the limit is 5 MB. \`markone fit\` on the command line accepts larger ones.`);
    shell.showMessage("");
    words.textContent = `Sending ${chosen.name}…`;
    try {
      const answer = await fetch("/table", { method: "POST", body: chosen, headers: { "Content-Type": "text/csv" } });
      if (answer.ok) taken((await answer.json()).key, chosen.name.slice(0, 80));
      else shell.showMessage(await answer.text());
    } catch { shell.showMessage(`${chosen.name} could not be uploaded: the server does not respond.`); }
    words.textContent = hintText;
  }
  return [file, label];
}

/** A select for the target column; `chosen(name)` gets null for none. */
export function targetSelect(chosen) {
  const select = h("select", { id: "table-target", on: { change: () => chosen(select.value || null) } });
  let shown = "";
  return {
    node: h("span", { class: "editor" }, h("label", { for: "table-target", text: "To be predicted" }), select),
    show: (names, value, fixed = false) => {
      if (JSON.stringify(names) !== shown) {
        shown = JSON.stringify(names);
        select.replaceChildren(h("option", { value: "", text: "choose a column" }), ...names.map((name) => h("option", { value: name, text: name })));
      }
      select.value = value ?? "";
      select.disabled = !names.length || fixed;
    },
  };
}

/** A report in a sandboxed frame, with links to download it. */
export function pageFrame(key, title, { model = false } = {}) {
  const at = (what) => `/results/${key}/${what}`;
  const save = (words, what, name) => h("a", { class: "button", href: `${at(what)}?save=1`, download: name, text: words });
  return h("div", { class: "report" },
    h("div", { class: "editor" }, save("Download the page", "report", "report.html"), model ? save("Download the model", "model", "model.skops") : null, h("a", { href: at("report"), target: "_blank", rel: "noopener", text: "Open the page alone" })),
    h("iframe", { class: "page", src: at("report"), sandbox: "", title, referrerpolicy: "no-referrer" }));
}
