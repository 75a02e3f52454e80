"""Fixtures: a running laboratory on a free port, and a browser."""

import asyncio
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("uvicorn", reason="the laboratory needs markone[web]")
websockets = pytest.importorskip("websockets", reason="the laboratory needs markone[web]")

from markone.web.app import configure_server, make_app  # noqa: E402
from markone.web.security import Access  # noqa: E402

PATIENCE = 240
MILLISECONDS = 120_000


def in_a_thread(conversation):
    """Run a coroutine in another thread: in this one Playwright has a running event loop."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, conversation).result()


class Laboratory:
    """A laboratory served at `http` with the origin `origin`. A warm-up computes states of all screens."""

    def __init__(self, access=None, warm=False, **limits):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.origin = self.http = f"http://127.0.0.1:{self.port}"
        self.app = make_app(access(self.port) if access else Access.for_local(self.port), **limits)
        if not warm:
            spawn = self.sessions.pool._spawn_worker
            self.sessions.pool._spawn_worker = lambda warm: spawn(warm=False)
        self.server = configure_server(self.app, "127.0.0.1", self.port)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    @staticmethod
    def wait_for(condition):
        wait_for(condition)

    @staticmethod
    def talk(conversation):
        return in_a_thread(conversation)

    @property
    def sessions(self):
        return self.app.state.sessions

    def __enter__(self):
        self.thread.start()
        wait_for(lambda: self.server.started)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(30)

    def connect(self, **options):
        options = {"origin": self.origin, "max_size": None} | options
        return websockets.connect(f"ws://127.0.0.1:{self.port}/socket", **options)

    def run(self, conversation, **options):
        """Return await conversation(page) with one open page."""

        async def talk():
            async with self.connect(**options) as page:
                return await conversation(Page(page))

        return in_a_thread(asyncio.wait_for(talk(), PATIENCE))

    def frames(self, screen, state, want="frames", most=200):
        """Return all frames of one request."""
        return self.run(lambda page: page.frames(screen, state, want, most))


class Page:
    def __init__(self, socket):
        self.socket = socket

    async def say(self, message):
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self, *kinds):
        """Return the next message of one of these kinds."""
        while True:
            message = json.loads(await self.socket.recv())
            if message["kind"] in kinds:
                return message

    async def frames(self, screen, state, want="frames", most=200, ticket=1):
        await self.say(
            {"kind": "start", "ticket": ticket, "want": want, "work": {"screen": screen, "state": state}}
        )
        found = []
        while True:
            message = await self.hear("frame", "refused")
            if message["kind"] == "refused" and message["ticket"] != ticket:
                continue
            if message["kind"] == "refused":
                raise AssertionError(message["sentence"])
            found.append(message["data"])
            if message["last"] or len(found) >= most:
                return found
            await self.say({"kind": "more", "ticket": ticket})


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


@pytest.fixture
def new_laboratory():
    """The class, to start a laboratory with other limits: with Laboratory(access, most=2) as small."""
    return Laboratory


@pytest.fixture(scope="session")
def laboratory():
    with Laboratory(workers=1) as running:
        yield running


# In the page: polling from here costs a message for each look.
POLL = """async (most) => {
  const end = performance.now() + most;
  while (performance.now() < end) {
    if (CONDITION) return true;
    await new Promise((next) => { setTimeout(next, 20); });
  }
  return false;
}"""
SETTLE = """([quiet, most]) => new Promise((done) => {
  const end = () => { seen.disconnect(); done(); };
  let soon = setTimeout(end, quiet);
  const seen = new MutationObserver(() => { clearTimeout(soon); soon = setTimeout(end, quiet); });
  setTimeout(end, most);
  seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})"""


class Visit:
    """One page, with its errors and its requests to other hosts."""

    def __init__(self, browser, laboratory, **options):
        self.laboratory = laboratory
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.wrong, self.foreign, self.responses = [], [], []
        self.page.on(
            "console", lambda m: self.wrong.append(m.text) if m.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._look)
        self.page.on("response", self._keep)

    def _look(self, request):
        if not request.url.startswith((self.laboratory.http, "blob:", "ws://127.0.0.1")):
            self.foreign.append(request.url)

    def _keep(self, response):
        if response.url.startswith(self.laboratory.http):
            self.responses.append(response)

    def open(self, fragment, ready=None):
        self.page.goto(f"{self.laboratory.http}/{fragment}")
        if ready:
            self.until(ready)
        return self

    def go(self, fragment, ready):
        """Follow a link inside the page; what was shown before is marked, so that it is not taken for it."""
        mark = "document.querySelectorAll('.screen').forEach((shown) => { shown.dataset.left = ''; });"
        self.page.evaluate(f"(hash) => {{ {mark} location.hash = hash; }}", fragment)
        self.until(f"!document.querySelector('.screen[data-left]') && ({ready})")
        return self

    def until(self, condition, seconds=MILLISECONDS / 1000):
        """Poll until a JavaScript condition is true; the page itself does not allow strings as code."""
        if not self.page.evaluate(POLL.replace("CONDITION", condition), seconds * 1000):
            raise AssertionError(f"{condition} did not come true; the page says: {self.wrong}")

    def settle(self, quiet, most):
        """Wait until nothing has changed in the page for `quiet` milliseconds, at most `most`."""
        self.page.evaluate(SETTLE, [quiet, most])

    def click(self, name):
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def picture(self, selector=".inside"):
        return self.page.evaluate(
            f"() => [...document.querySelectorAll('{selector}')].map((node) => node.innerHTML)"
        )

    def close(self):
        self.context.close()
        assert not self.wrong
        assert not self.foreign


@pytest.fixture
def new_visit():
    """The class, for pages without a laboratory: new_visit(browser, where), with the address where.http."""
    return Visit


@pytest.fixture(scope="module")
def windows(connect_browser, laboratory):
    """One page for each kind of window, in which links are followed."""
    kept = {}

    def show(fragment, ready, **options):
        key = json.dumps(options)
        if key not in kept:
            kept[key] = Visit(connect_browser(), laboratory, **options).open(fragment, ready)
        else:
            kept[key].go(fragment, ready)
        return kept[key]

    yield show
    for page in kept.values():
        page.close()


@pytest.fixture
def visit(browser, laboratory):
    pages = []

    def start(**options):
        pages.append(Visit(browser, laboratory, **options))
        return pages[-1]

    yield start
    for page in pages:
        page.close()
