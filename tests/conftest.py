import os
import shutil
import signal
import tempfile
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[1]
# Compiled code of the tests is kept between runs, separately from that of the user; also for processes that
# tests start. Set before the first import of markone, which reads it.
KEPT = ROOT / ".cache" if os.access(ROOT, os.W_OK) else Path(tempfile.gettempdir())
os.environ["MARKONE_CACHE_DIR"] = os.environ.get("MARKONE_TEST_CACHE_DIR") or str(KEPT / "markone-tests")

from markone.data import find_semeion, load  # noqa: E402

hypothesis.settings.register_profile("markone", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("markone")

# The semeion digits are not part of the repository; they may be beside it.
BESIDE = ROOT.parent / "shared" / "data"
if find_semeion() is None and find_semeion(BESIDE):
    os.environ["MARKONE_DATA"] = str(BESIDE)


# Files that take long, since they start processes, servers or a type checker: first, so that none is left to
# one worker at the end. The recipes use what the type checker, which runs beside the first tests, has stored.
FIRST = ("web", "tables", "cli", "runner", "recipes")


def pytest_collection_modifyitems(items):
    def place(item):
        return next((k for k, folder in enumerate(FIRST) if folder in item.path.parts), len(FIRST))

    items.sort(key=place)


@pytest.fixture(scope="session")
def connect_browser():
    """A function that returns Chromium, started again if the system ended it.

    One for all tests of a worker, since Playwright runs once in a thread.
    """
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="browser tests need the package playwright"
    )
    places = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    chromium = next((place for place in places if place and Path(place).exists()), None)
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    started = []
    with playwright.sync_playwright() as driver:

        def find_connected():
            if not started or not started[-1].is_connected():
                started.append(driver.chromium.launch(executable_path=chromium, args=arguments))
            return started[-1]

        yield find_connected
        for browser in started:
            browser.close()


@pytest.fixture
def browser(connect_browser):
    return connect_browser()


@pytest.fixture
def ctrl_c():
    """Default handling of SIGINT, as in a terminal; background jobs of a shell inherit that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def semeion_path():
    found = find_semeion()
    if found is None:
        # The data are not part of the repository, and tests download nothing.
        pytest.skip(f"semeion.data is neither where MARKONE_DATA points nor in {BESIDE}")
    return found


@pytest.fixture(scope="session")
def semeion(semeion_path):
    return load("semeion", folder=semeion_path)
