"""`markone lab --export`: the laboratory as a folder of files, which any host or file:// serves.

One classic script holds the modules of the page, the catalogue, the compiled code and the tables of examples:
from file:// a browser refuses module scripts and requests. Screens that need a server say so.
"""

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

from markone.web.catalogue import build_catalogue
from markone.web.lesson_files import load_lessons
from markone.web.offline import wasm
from markone.web.offline.memory_page import MEMORY
from markone.web.offline.recorded import RECORDED
from markone.web.plane.page_tables import PLANE

STATIC = Path(__file__).parent.parent / "static"
# Screens that a page can compute by itself; `start` lists their lessons.
PAGES: dict[str, Any] = {"plane": PLANE, "memory": MEMORY} | RECORDED
# `connect-src` forbids all requests; there is no rule on frames: a course page may show this one in a frame.
POLICY = (
    "default-src 'none'; script-src 'self' file: blob: 'wasm-unsafe-eval'; worker-src blob:; "
    "style-src 'self' file:; img-src 'self' file: blob: data:; connect-src 'none'; base-uri 'none'"
)
RUNTIME = """(() => {
const modules = {}, loaded = {};
const load = (name) => {
  if (!loaded[name]) modules[name](loaded[name] = {}, load);
  return loaded[name];
};
const loadLater = (path) => Promise.resolve(load(path.replace("./", "")));
"""
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (default )?((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


def export_laboratory(folder: Path, screens: list[str], lessons: Path | None = None) -> dict[str, int]:
    """Write the page into `folder`; return the sizes of its files in bytes."""
    unknown = [name for name in screens if name not in PAGES]
    if unknown:
        known = ", ".join(PAGES)
        raise ValueError(f"{unknown[0]} needs `markone lab`: only {known} can be exported.")
    script = _page_script(screens or list(PAGES), lessons)
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = re.sub(r'<!-- Modules.*?-->\n|<link rel="modulepreload".*?>\n', "", page)
    page = page.replace('<script type="module" src="/static/main.js">', '<script defer src="lab.js">')
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    files = {
        "index.html": page.replace("<title>", f"{policy}\n<title>").replace("/static/", ""),
        "style.css": (STATIC / "style.css").read_text(encoding="utf-8").replace("/static/", ""),
        "favicon.svg": (STATIC / "favicon.svg").read_text(encoding="utf-8"),
        "lab.js": script,
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: len(text.encode()) for name, text in files.items()}


def _page_script(screens: list[str], lessons: Path | None) -> str:
    known = _exported_catalogue(screens, lessons)
    modules = [PAGES[name].MODULE for name in screens if PAGES[name].MODULE]
    pictures = json.loads((STATIC / "pictures.json").read_text(encoding="utf-8"))
    # Cards of lessons, and of screens: one without lessons in this page has the picture of any.
    without = set(screens) - {one["screen"] for one in known["lessons"]}
    cards = [one["name"] for one in known["lessons"]]
    cards += [name for name, one in load_lessons().items() if one.screen in without]
    data = {
        "catalogue": known,
        "tables": {name: PAGES[name].make_tables() for name in screens},
        "module": b64encode(wasm.build_module(modules)).decode() if modules else None,
        "worker": bundle_modules("offline/worker.js"),
        "pictures": {name: pictures[name] for name in cards if name in pictures},
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    modules = [f"screens/{name}.js" for name in (*screens, "start", "away")]
    return f"globalThis.markoneExport = {text};\n{bundle_modules('main.js', 'lesson.js', *modules)}"


def _exported_catalogue(screens: list[str], lessons: Path | None) -> dict[str, Any]:
    """The catalogue with the limits of the page; screens that need a server keep their title."""
    known = build_catalogue(lessons)
    for screen in known["screens"]:
        if screen["name"] in screens:
            PAGES[screen["name"]].restrict_schema(screen["schema"])
        elif screen["name"] != "start":
            screen |= {"away": True, "schema": {"properties": {}}}
    found = load_lessons(lessons)
    known["lessons"] = [one for one in known["lessons"] if is_exported(found[one["name"]], screens)]
    return known


def is_exported(lesson: Any, screens: list[str]) -> bool:
    """True if the page has all states of a lesson's solution, also those that are reached by clicks."""
    clicks = any(action["do"] in ("click", "drag") for task in lesson.task for action in task.actions)
    # A click in a recorded picture may choose a row, nothing else.
    fixed = lesson.screen in RECORDED and "row" not in RECORDED[lesson.screen].free
    if lesson.screen not in screens or (clicks and fixed):
        return False
    return all(map(PAGES[lesson.screen].can_show, lesson.states_of_solution()))


def bundle_modules(*names: str) -> str:
    """The ES modules of these names, and all they import, as one classic script; the first one is run."""
    found: dict[str, str] = {}
    for name in names:
        _collect_module(name, found)
    parts = [f'modules["{name}"] = (exports, load) => {{\n{text}}};\n' for name, text in found.items()]
    return f"{RUNTIME}{''.join(parts)}load({json.dumps(names[0])});\n}})();\n"


def _collect_module(name: str, found: dict[str, str]) -> None:
    if name in found:
        return
    text = (STATIC / name).read_text(encoding="utf-8")
    found[name] = ""

    def load(match: re.Match[str]) -> str:
        target = (STATIC / name).parent.joinpath(match[2]).resolve().relative_to(STATIC).as_posix()
        _collect_module(target, found)
        return f"const {{{match[1].replace(' as ', ': ')}}} = load({json.dumps(target)});"

    exported = [f"{'default: ' if default else ''}{own}" for default, _, own in EXPORT.findall(text)]
    text = EXPORT.sub(r"\2", IMPORT.sub(load, text)).replace("import(", "loadLater(")
    found[name] = f"{text}Object.assign(exports, {{ {', '.join(exported)} }});\n"
