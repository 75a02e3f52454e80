// Start: learn what the server offers, then show the screen that the address names.

import { h, toast } from "./dom.js";
import { Link } from "./link.js";
import { Shell } from "./shell.js";
import { defaults, fromFragment, toFragment } from "./state.js";

const THEMES = ["auto", "light", "dark"];

function theme() {
  const button = document.getElementById("theme");
  const show = (name) => {
    document.documentElement.dataset.theme = name;
    button.title = `Theme: ${name}`;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[name];
  };
  const stored = () => { try { return localStorage.getItem("theme") ?? "auto"; } catch { return "auto"; } };
  show(stored());
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    show(next);
    try { localStorage.setItem("theme", next); } catch { /* a private window: the choice lasts as long as the page */ }
  });
}

function watch(link) {
  const status = document.getElementById("status");
  const show = (words, kind) => { status.textContent = words; status.dataset.kind = kind; };
  link.addEventListener("ready", ({ detail }) => {
    if (detail.done >= detail.of) show("ready", "ready");
    else show(`getting ready ${detail.done}/${detail.of}`, "warm");
    if (detail.done < detail.of) status.title = "Compiled code is being loaded. Everything works already, the first time a little slower.";
    else status.removeAttribute("title");
  });
  link.addEventListener("away", ({ detail }) => show(detail, "away"));
  link.addEventListener("refused", ({ detail }) => toast(detail));
  link.addEventListener("ended", ({ detail }) => {
    show("ended", "away");
    const again = h("button", { type: "button", text: "Go on", on: { click: () => location.reload() } });
    document.getElementById("lab").prepend(h("div", { class: "notice", role: "alert" }, h("p", { text: detail }), again));
  });
}

function navigation(screens) {
  const nav = document.getElementById("screens");
  nav.append(...screens.map((screen) => h("a", { href: `#/${screen.name}`, data: { name: screen.name }, text: screen.title })));
  return (name) => {
    for (const link of /** @type {Iterable<HTMLElement>} */ (nav.children)) {
      if (link.dataset.name === name) { link.setAttribute("aria-current", "page"); link.scrollIntoView({ block: "nearest", inline: "nearest" }); }
      else link.removeAttribute("aria-current");
    }
  };
}

async function start() {
  theme();
  const answer = await fetch("/catalogue.json");
  if (!answer.ok) throw new Error(`The laboratory answered ${answer.status}.`);
  const known = await answer.json();
  for (const lesson of known.lessons) {
    const screen = known.screens.find((one) => one.name === lesson.screen);
    lesson.link = toFragment(screen, { ...defaults(screen.schema), ...lesson.state }, { lesson: lesson.name });
  }
  const link = new Link();
  watch(link);
  const select = navigation(known.screens);
  const shell = new Shell(document.getElementById("lab"), link, known);
  const open = () => {
    const wanted = fromFragment(location.hash, known.screens);
    if (wanted.unread.length) toast(`The link names ${wanted.unread.join(", ")}, which this screen does not know: left out.`);
    select(wanted.screen.name);
    document.title = `${wanted.screen.title} · markone laboratory`;
    shell.open(wanted);
  };
  window.addEventListener("hashchange", () => { if (location.hash !== toFragment(shell.screen, shell.state, { lesson: shell.lesson })) open(); });
  open();
}

start().catch((error) => {
  document.getElementById("lab").replaceChildren(h("div", { class: "notice", role: "alert" }, h("p", { text: `The laboratory could not be opened: ${error.message}` })));
});
