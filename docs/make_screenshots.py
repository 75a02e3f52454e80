"""Screenshots of every screen of the laboratory for docs/laboratory.md; needs Chromium:

python docs/make_screenshots.py                     # docs/screens/*.webp
python docs/make_screenshots.py --review FOLDER     # each at three widths, light and dark, for review
python docs/make_screenshots.py --lessons           # the pictures on the cards of the start page
"""

import argparse
import io
import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from markone.cli.main import run_command_line
from markone.web import lesson_files
from markone.web.app import configure_server, make_app
from markone.web.security import Access

# State and condition of completeness of each picture.
SCREENS = {
    "plane": (
        "students=['rosenblatt','adatron']&preset=tight&P=30&seed=5&t=120",
        "document.querySelectorAll('.boundary').length > 1",
    ),
    "version": ("dimension=3&P=6", "document.querySelector('.facts')?.textContent.includes('Gibbs')"),
    "teacher": ("repeats=40&N=50", "document.querySelector('progress')?.value === 1"),
    "capacity": ("repeats=60&N=20", "document.querySelector('progress')?.value === 1"),
    "online": ("repeats=10&N=100&alpha=20", "document.querySelector('progress')?.value === 1"),
    "prototypes": ("data=wine&row=20", "document.querySelector('.matrix .cells')"),
    "memory": (
        "source=digits&couplings=pseudo_inverse&P=10&which=3&t=1",
        "document.querySelectorAll('.small .line').length > 2",
    ),
    "judging": ("", "document.querySelector('.measures td')"),
    "runs": ("experiment=demo_capacity", "document.querySelector('.inside .line')"),
    "table": ("data=wine&model=gmlvq&cv=1x5&go=true", "document.querySelector('iframe.page')"),
    "start": ("", "document.querySelectorAll('.card .thumbnail svg').length > 14"),
    "lesson": ("students=['hebb','adatron']&lesson=rule", "document.querySelector('.predict')"),
    # The pictures of live figures where scripts are off.
    "live-plane": (
        "students=['rosenblatt','adatron']&preset=tight&P=30&seed=5&t=20",
        "document.querySelectorAll('.boundary').length > 1",
    ),
    "live-memory": ("spoil=0.3", "document.querySelector('.thumb')"),
    "live-judging": ("what=polynomials", "document.querySelectorAll('.inside .line').length > 5"),
    "live-prototypes": ("", "document.querySelectorAll('.inside .dots path').length > 150"),
    "live-online": ("", "document.querySelector('progress')?.value === 1"),
}
# Heights of live figures, as on the pages.
HEIGHTS = {
    "live-plane": 480,
    "live-memory": 540,
    "live-judging": 640,
    "live-prototypes": 680,
    "live-online": 640,
}
# The pages of what is not a screen by itself.
OPENED_BY = {"lesson": "#/teacher"} | {name: f"?figure#/{name.removeprefix('live-')}" for name in HEIGHTS}
PATIENCE = 600.0
WIDTHS = {"wide": 1280, "middle": 1024, "phone": 390}


@contextmanager
def run_laboratory() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = configure_server(make_app(Access.for_local(port), workers=1), "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


def wait_until(page: Page, condition: str) -> None:
    """Poll until a JavaScript condition is true; the page itself does not allow strings as code."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(f"() => Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} was not met within {PATIENCE:.0f} s.")
        page.wait_for_timeout(200)
    page.wait_for_timeout(1200)


def take_screenshot(browser: Browser, address: str, name: str, *, whole: bool, **options: Any) -> bytes:
    state, ready = SCREENS[name]
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(f"{address}/{OPENED_BY.get(name, f'#/{name}')}?{state}")
    # When all compiled code is loaded, so that no picture says "getting ready".
    wait_until(page, f"document.getElementById('status').dataset.kind === 'ready' && ({ready})")
    picture = page.screenshot(full_page=whole)
    context.close()
    return picture


def save_review(browser: Browser, address: str, folder: Path, names: list[str]) -> None:
    for name in names:
        for size, width in WIDTHS.items():
            for theme in ("light", "dark"):
                viewport = {"width": width, "height": 844 if width < 500 else 860}
                picture = take_screenshot(
                    browser, address, name, whole=True, viewport=viewport, color_scheme=theme
                )
                (folder / f"{name}-{size}-{theme}.png").write_bytes(picture)


def save_screens(browser: Browser, address: str, folder: Path, names: list[str]) -> None:
    for name in names:
        viewport = {"width": 760 if name in HEIGHTS else 1280, "height": HEIGHTS.get(name, 860)}
        picture = take_screenshot(
            browser, address, name, whole=False, viewport=viewport, color_scheme="light"
        )
        small = Image.open(io.BytesIO(picture)).convert("RGB")
        small.save(folder / f"{name}.webp", quality=72, method=6)


CARD = (Path(__file__).parent / "card_picture.js").read_text().partition("\n")[2].strip()
CARD_SIZE = ".stage .chart .frame { width: 240px !important; }"
# What differs from the state in which a lesson opens, so that there is something to see.
CARD_STATES: dict[str, dict[str, Any]] = {
    "four_points": {"points": [[-1.5, -1.0, 1], [0.5, 1.5, 1], [1.5, -1.0, -1]]},
    "recall": {"t": 1},
    "curved": {"t": 20},
}


# When the picture has marks, not only the hint of an empty plane.
CARD_READY = "document.querySelector('.stage .plot .inside :is(path, rect)')"


def save_lesson_pictures(browser: Browser, address: str, names: list[str]) -> None:
    """Write static/pictures.json: one SVG for each lesson, as it opens, on the plane at t = 40."""
    file = Path(lesson_files.__file__).parent / "static" / "pictures.json"
    lessons = lesson_files.load_lessons()
    pictures = json.loads(file.read_text(encoding="utf-8")) if names else {}
    for name in names or lessons:
        lesson = lessons[name]
        state = lesson.state | ({"t": 40} if lesson.screen == "plane" else {}) | CARD_STATES.get(name, {})
        query = "&".join(f"{key}={v if isinstance(v, str) else json.dumps(v)}" for key, v in state.items())
        context = browser.new_context(viewport={"width": 1280, "height": 860}, bypass_csp=True)
        page = context.new_page()
        page.goto(f"{address}/#/{lesson.screen}?{query}".replace('"', "'"))
        wait_until(page, f"document.getElementById('status').dataset.kind === 'ready' && {CARD_READY}")
        page.add_style_tag(content=CARD_SIZE)
        page.wait_for_timeout(4000)
        pictures[name] = page.evaluate(CARD)
        context.close()
    file.write_text(json.dumps(pictures, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="screens, or with --lessons lessons; all by default")
    parser.add_argument("--review", type=Path)
    parser.add_argument("--lessons", action="store_true")
    options = parser.parse_args()
    folder = options.review or Path(__file__).parent / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    # A run to show, in the folder where the laboratory is started.
    os.chdir(tempfile.mkdtemp(prefix="markone-screens-"))
    screens = options.names or list(SCREENS)
    if "runs" in screens and not options.lessons:
        run_command_line(["run", "demo_capacity", "--quiet"])
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with run_laboratory() as address, sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = driver.chromium.launch(executable_path=chromium, args=arguments)
        if options.lessons:
            save_lesson_pictures(browser, address, options.names)
        else:
            (save_review if options.review else save_screens)(browser, address, folder, screens)
        browser.close()


if __name__ == "__main__":
    main()
