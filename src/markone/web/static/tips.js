// One tooltip for everything: values under the pointer, words of the subject.

import { h, withSubscripts } from "./dom.js";

const tip = () => /** @type {HTMLElement} */ (document.getElementById("tip"));

/** Show lines of text beside a place of the window. */
export function showTip(lines, x, y) {
  const node = tip();
  node.replaceChildren(...lines.map((line, k) => h(k ? "span" : "b", { text: line })));
  node.hidden = false;
  const { width, height } = node.getBoundingClientRect();
  const left = x + 14 + width > window.innerWidth ? x - width - 14 : x + 14;
  node.style.left = `${Math.max(6, left)}px`;
  node.style.top = `${Math.max(6, Math.min(window.innerHeight - height - 6, y + 14))}px`;
}

/** The same for who hears the page. */
export function announce(lines) { /** @type {HTMLElement} */ (document.getElementById("said")).textContent = lines.join(", "); }

export function hideTip() { tip().hidden = true; }

/** A sentence whose [words] are explained on hover and on focus. */
export function explained(sentence, glossary) {
  const parts = sentence.split(/\[([^\]]+)\]/);
  return parts.map((part, k) => (k % 2 ? word(part, glossary) : withSubscripts(part))).flat();
}

function word(text, glossary) {
  const meaning = glossary[text] ?? glossary[text.replace(/s$/, "")] ?? "";
  const show = (event) => {
    const box = event.target.getBoundingClientRect();
    showTip([text, meaning], box.left - 10, box.bottom - 6);
  };
  return h("dfn", { tabindex: "0", "aria-label": `${text}: ${meaning}`, on: { pointerenter: show, focus: show, pointerleave: hideTip, blur: hideTip }, text });
}
