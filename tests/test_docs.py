"""The page of theory in the repository is the one the code writes."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_is_up_to_date():
    spec = importlib.util.spec_from_file_location("make_theory", DOCS / "make_theory.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "theory.md").read_text() == module.page(), "run `make docs`"
