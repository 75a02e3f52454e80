"""The pages of the repository: those that the code writes are up to date, and all code on them runs."""

import importlib.util
import os
import re
from datetime import date
from pathlib import Path

import matplotlib as mpl
import pytest

import markone

ROOT = Path(__file__).parent.parent
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
FOLDERS = (DOCS, DOCS / "tours", DOCS / "course", DOCS / "reference")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md")))]
GALLERY = sorted(EXAMPLES.glob("*/plot_*.py"))
# A third of the gallery a day; MARKONE_GALLERY=all runs it whole, 0, 1 or 2 one third.
THIRD = os.environ.get("MARKONE_GALLERY") or str(date.today().toordinal() % 3)
TODAY = GALLERY if THIRD == "all" else GALLERY[int(THIRD) :: 3]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("name", ["theory", "reference"])
def test_the_page_is_up_to_date(name):
    spec = importlib.util.spec_from_file_location(f"make_{name}", DOCS / f"make_{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / f"{name}.md").read_text() == module.page(), "run `make docs`"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name_of)
def test_the_code_on_the_page_runs(page, tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    if page.name == "fit.md":  # its Python begins where the command above it ended
        from markone.cli.main import call

        assert call(["fit", "iris", "--cv", "3", "--save", "iris.skops", "--json"]) == 0
    names = {"__name__": "page"}
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)
    mpl.pyplot.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("script", TODAY, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_the_script_of_the_gallery_runs(script, tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "__main__"})
    assert len(mpl.pyplot.get_fignums()) == 1, "one figure a script"
    mpl.pyplot.close("all")


def test_a_script_of_the_gallery_is_short_and_claims_something():
    assert len(GALLERY) >= 40
    for script in GALLERY:
        text = script.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 40, f"{script.name} is longer than 40 lines"
        assert re.search(r"^ *assert |assert_allclose", text, re.MULTILINE), f"{script.name} asserts nothing"
        assert "The claim:" in text, f"{script.name} does not say what it claims"


def test_every_estimator_and_display_is_in_the_gallery():
    from markone import evaluation, show
    from markone.lvq import displays

    text = "\n".join(script.read_text(encoding="utf-8") for script in GALLERY)
    estimators = [name for name in markone.__all__ if hasattr(getattr(markone, name), "fit")]
    shown = [
        name for room in (evaluation, show, displays) for name in room.__all__ if name.endswith("Display")
    ]
    missing = [name for name in [*estimators, *shown] if not re.search(rf"\b{name}\b", text)]
    assert not missing, f"no script of the gallery shows {', '.join(missing)}"


def test_topics_lists_every_page():
    listed = set((DOCS / "topics.md").read_text().split())
    others = {"index", "topics", "how_do_i", "trust"}
    assert {page.stem for page in DOCS.glob("*.md")} - others <= listed
