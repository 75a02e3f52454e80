// Entry point: load the catalogue, then show the screen named in the address.

import { h, showToast } from "./dom.js";
import { Link } from "./link.js";
import { exported, loadCatalogue } from "./offline/channel.js";
import { Shell } from "./shell.js";
import { defaultState, fromFragment, toFragment } from "./state.js";

const THEMES = ["auto", "light", "dark"];

function setupTheme() {
  const button = document.getElementById("theme");
  const show = (name) => {
    document.documentElement.dataset.theme = name;
    button.title = `Theme: ${name}`;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[name];
  };
  const readTheme = () => { try { return localStorage.getItem("theme") ?? "auto"; } catch { return "auto"; } };
  show(readTheme());
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    show(next);
    try { localStorage.setItem("theme", next); } catch { /* no storage in a private window */ }
  });
}

function watchConnection(link) {
  const status = document.getElementById("status");
  const show = (words, kind) => { status.textContent = words; status.dataset.kind = kind; };
  link.addEventListener("ready", ({ detail }) => {
    if (detail.done >= detail.of) show("ready", "ready");
    else show(`getting ready${detail.done ? ` ${detail.done}/${detail.of}` : ""}`, "warm");
    if (detail.done < detail.of) status.title = "Compiled code is being loaded. Everything works; the first use may be slower.";
    else status.removeAttribute("title");
  });
  link.addEventListener("away", ({ detail }) => show(detail, "away"));
  link.addEventListener("refused", ({ detail }) => showToast(detail));
  link.addEventListener("ended", ({ detail }) => {
    show("ended", "away");
    const again = h("button", { type: "button", text: "Reload", on: { click: () => location.reload() } });
    document.getElementById("lab").prepend(h("div", { class: "notice", role: "alert" }, h("p", { text: detail }), again));
  });
}

/** The start page, the screen that is shown, and a menu of all screens. */
function buildNavigation(screens) {
  const entry = (screen) => h("a", { href: `#/${screen.name}`, data: { name: screen.name }, text: screen.title });
  const links = screens.map(entry), shown = h("summary");
  const menu = h("details", {}, shown, h("div", { class: "menu-of" }, links.slice(1)));
  document.getElementById("screens").append(links[0], menu);
  document.addEventListener("click", (event) => { if (!menu.contains(/** @type {Node} */ (event.target)) || /** @type {Element} */ (event.target).closest("a")) menu.open = false; });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; shown.focus(); } });
  return (screen) => {
    shown.textContent = screen === screens[0] ? "All screens" : screen.title;
    shown.classList.toggle("here", screen !== screens[0]);
    for (const link of links) { if (link.dataset.name === screen.name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current"); }
  };
}

async function startPage() {
  setupTheme();
  // In a frame of another page only the picture and its player are shown.
  if (location.search === "?figure") document.documentElement.dataset.figure = "";
  const known = await loadCatalogue();
  for (const lesson of known.lessons) {
    const screen = known.screens.find((one) => one.name === lesson.screen);
    lesson.link = toFragment(screen, { ...defaultState(screen.schema), ...lesson.state }, { lesson: lesson.name });
  }
  const link = new Link();
  watchConnection(link);
  const select = buildNavigation(known.screens);
  const shell = new Shell(document.getElementById("lab"), link, known);
  const open = () => {
    const wanted = fromFragment(location.hash, known.screens);
    if (exported?.start) Object.assign(wanted.state, exported.start);
    if (wanted.missing) showToast(`There is no screen "${wanted.missing}": ${wanted.screen.title} is shown.`);
    else if (wanted.lesson && !known.lessons.some((one) => one.name === wanted.lesson)) {
      showToast(`There is no lesson "${wanted.lesson}": the screen is shown without one.`);
      wanted.lesson = "";
    } else if (wanted.unread.length) showToast(`The link names ${wanted.unread.join(", ")}, which this screen does not have: ignored.`);
    select(wanted.screen);
    document.title = `${wanted.screen.title} · markone laboratory`;
    shell.openScreen(wanted);
  };
  window.addEventListener("hashchange", () => { if (location.hash !== toFragment(shell.screen, shell.state, { lesson: shell.lesson })) open(); });
  open();
}

startPage().catch((error) => {
  document.getElementById("lab").replaceChildren(h("div", { class: "notice", role: "alert" }, h("p", { text: `The laboratory could not be opened: ${error.message}` })));
});
