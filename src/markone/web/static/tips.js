// The tooltip: values under the pointer and definitions of the glossary.

import { h, renderText } from "./dom.js";

const tipNode = () => /** @type {HTMLElement} */ (document.getElementById("tip"));

/** Show lines of text beside a position in the window. */
export function showTip(lines, x, y) {
  const node = tipNode();
  node.replaceChildren(...lines.map((line, k) => h(k ? "span" : "b", { text: line })));
  node.hidden = false;
  const { width, height } = node.getBoundingClientRect();
  const left = x + 14 + width > window.innerWidth ? x - width - 14 : x + 14;
  node.style.left = `${Math.max(6, left)}px`;
  node.style.top = `${Math.max(6, Math.min(window.innerHeight - height - 6, y + 14))}px`;
}

/** The same for screen readers. */
export function announceLines(lines) { /** @type {HTMLElement} */ (document.getElementById("said")).textContent = lines.join(", "); }

export function hideTip() { tipNode().hidden = true; }

/** A sentence whose [terms] show their definitions on hover and on focus. */
export function renderSentence(sentence, glossary) {
  const parts = sentence.split(/\[([^\]]+)\]/);
  return parts.map((part, k) => (k % 2 ? renderTerm(part, glossary) : renderText(part))).flat();
}

function renderTerm(text, glossary) {
  const meaning = glossary[text] ?? glossary[text.toLowerCase()] ?? glossary[text.replace(/s$/, "")] ?? "";
  const show = (event) => {
    const box = event.target.getBoundingClientRect();
    showTip([text, meaning], box.left - 10, box.bottom - 6);
  };
  return h("dfn", { tabindex: "0", "aria-label": `${text}: ${meaning}`, on: { pointerenter: show, focus: show, pointerleave: hideTip, blur: hideTip }, text });
}
