import os
from pathlib import Path

import hypothesis
import pytest

from markone.data import find_semeion, load

hypothesis.settings.register_profile("markone", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("markone")

# The digits of the digits report are no part of the repository; they may lie beside it.
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
if find_semeion() is None and find_semeion(BESIDE):
    os.environ["MARKONE_DATA"] = str(BESIDE)


@pytest.fixture(scope="session")
def semeion_path():
    found = find_semeion()
    if found is None:
        # The data are no part of the repository, and tests fetch nothing.
        pytest.skip(f"semeion.data is neither where MARKONE_DATA points nor in {BESIDE}")
    return found


@pytest.fixture(scope="session")
def semeion(semeion_path):
    return load("semeion", folder=semeion_path)
