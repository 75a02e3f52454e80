// The marks of the first figure as drawn at the size of a card: no names, no texts, short numbers.
() => {
  const plot = document.querySelector(".stage .plot"), whole = plot.closest(".bare") ? "meet" : "slice";
  const rect = plot.querySelector("clipPath rect"), box = ["x", "y", "width", "height"].map((name) => Math.round(Number(rect.getAttribute(name))));
  const copy = plot.querySelector(".inside").cloneNode(true);
  const shorten = (text) => String(Number(Number(text).toFixed(Math.abs(Number(text)) > 20 ? 0 : 1)));
  for (const node of copy.querySelectorAll("title, text, defs")) node.remove();
  for (const node of [copy, ...copy.querySelectorAll("*")]) for (const { name, value } of [...node.attributes]) {
    if (name === "id" || name === "clip-path" || name.startsWith("aria") || name === "tabindex") node.removeAttribute(name);
    else node.setAttribute(name, value.replace(/-?\d+\.\d+/g, shorten));
  }
  const marks = new XMLSerializer().serializeToString(copy).replace(/ xmlns="[^"]*"/g, "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" preserveAspectRatio="xMidYMid ${whole}">${marks}</svg>`;
}
