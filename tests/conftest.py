import os
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
