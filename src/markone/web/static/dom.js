// Creates elements without markup: text is always set as textContent.

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} node @param {Record<string, any>} attributes */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "text") node.textContent = value;
    else if (name === "data") Object.assign(/** @type {HTMLElement} */ (node).dataset, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

/** An HTML element. @param {string} tag @returns {any} */
export function h(tag, attributes = {}, ...children) {
  const node = setAttributes(document.createElement(tag), attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An SVG element. @param {string} tag @returns {any} */
export function s(tag, attributes = {}, ...children) {
  const node = setAttributes(document.createElementNS(SVG, tag), attributes);
  node.append(...children.flat().filter(Boolean));
  return node;
}

/** Text with subscripts of one character (ε_g) and `words` in backticks as code. */
export function renderText(text) {
  return text.split(/`([^`]+)`/).flatMap((part, k) => (k % 2 ? h("code", { text: part }) : renderSubscripts(part)));
}

function renderSubscripts(text) {
  return text.split(/(_[\p{L}\d])/u).filter(Boolean).map((part) => (part[0] === "_" && part.length === 2 ? h("sub", { text: part[1] }) : document.createTextNode(part)));
}

/** Text with subscripts inside an SVG picture. */
export function renderSvgText(attributes, text) {
  let low = false;
  return s("text", attributes, text.split(/(_[\p{L}\d])/u).filter(Boolean).map((part) => {
    const sub = part[0] === "_" && part.length === 2;
    const node = s("tspan", { dy: sub ? "3" : low ? "-3" : null, "font-size": sub ? "82%" : null, text: sub ? part[1] : part });
    low = sub;
    return node;
  }));
}

/** A number with about `digits` significant digits and a true minus sign. */
export function formatNumber(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(Math.max(0, digits - 2)) : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

const toastNode = () => /** @type {HTMLElement} */ (document.getElementById("toast"));
let toastTimer = 0;

/** Show a message for a few seconds. */
export function showToast(sentence) {
  toastNode().textContent = sentence;
  toastNode().classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => toastNode().classList.remove("shown"), 3200);
}

/** Copy text, also where the clipboard API is not available (pages without https). */
export async function copyToClipboard(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied.`);
  } catch {
    const area = h("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    showToast(done ? `${what} copied.` : "The browser refused to copy: select the text by hand.");
  }
}

/** Offer a text as a file to download. */
export function downloadFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const prefersReducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
