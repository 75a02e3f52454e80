from pathlib import Path

import pytest

from markone.data import find_semeion, load

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def semeion():
    """The digits of seed 003, from where MARKONE_DATA points or shared/data beside the repository."""
    found = find_semeion() or find_semeion(BESIDE)
    if found is None:
        pytest.skip(f"semeion.data is neither where MARKONE_DATA points nor in {BESIDE}")
    return load("semeion", folder=found)
