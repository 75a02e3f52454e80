from pathlib import Path

import pytest

from markone.data import find_semeion

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def semeion_path():
    """The file where MARKONE_DATA points, or in the folder shared/data beside the repository."""
    found = find_semeion() or find_semeion(BESIDE)
    if found is None:
        pytest.skip(f"semeion.data is neither where MARKONE_DATA points nor in {BESIDE}")
    return found
