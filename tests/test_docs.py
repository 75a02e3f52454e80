"""Pages of the repository: generated ones are up to date, and all code on them runs."""

import importlib.util
import re
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot
import pytest

import markone

ROOT = Path(__file__).parent.parent
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
FOLDERS = (DOCS, DOCS / "tours", DOCS / "course", *sorted(DOCS.glob("course/chapter*/")), DOCS / "reference")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md")))]
GALLERY = sorted(EXAMPLES.glob("*/plot_*.py"))


@pytest.fixture(autouse=True)
def close_figures():
    """Other tests of this process, and pages, leave figures open."""
    mpl.pyplot.close("all")
    yield
    mpl.pyplot.close("all")


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # needed by dataclasses
    spec.loader.exec_module(module)
    return module


run_page = loaded(DOCS / "generate" / "run_page.py")


def has_code(page):
    return run_page.BLOCK.search(page.read_text(encoding="utf-8"))


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("name", ["theory", "reference"])
def test_the_page_is_up_to_date(name):
    page = loaded(DOCS / f"make_{name}.py").write_page()
    assert (DOCS / f"{name}.md").read_text() == page, "run `make docs`"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if has_code(page)], ids=name_of)
def test_the_code_on_the_page_runs(page):
    """Including the commands in ```sh blocks."""
    mpl.use("Agg")
    text = page.read_text(encoding="utf-8")
    if page.name == "fit.md":  # its Python uses the result of the command above it
        text = "```sh\nmarkone fit iris --cv 3 --save iris.skops --json\n```\n" + text
    assert list(run_page.run_blocks(text, page.name))


@pytest.mark.slow
@pytest.mark.parametrize("script", GALLERY, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_the_script_of_the_gallery_runs(script, tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "__main__"})
    assert len(mpl.pyplot.get_fignums()) == 1, "one figure a script"


def test_a_script_of_the_gallery_is_short_and_asserts_its_claim():
    assert len(GALLERY) >= 40
    for script in GALLERY:
        text = script.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 40, f"{script.name} is longer than 40 lines"
        assert re.search(r"^ *assert |assert_allclose", text, re.MULTILINE), f"{script.name} asserts nothing"
        assert "The claim:" in text, f"{script.name} does not state its claim"


def test_every_estimator_and_display_is_in_the_gallery():
    from markone import evaluation, show
    from markone.lvq import displays

    text = "\n".join(script.read_text(encoding="utf-8") for script in GALLERY)
    estimators = [name for name in markone.__all__ if hasattr(getattr(markone, name), "fit")]
    shown = [
        name
        for package in (evaluation, show, displays)
        for name in package.__all__
        if name.endswith("Display")
    ]
    missing = [name for name in [*estimators, *shown] if not re.search(rf"\b{name}\b", text)]
    assert not missing, f"no script of the gallery uses {', '.join(missing)}"


def test_every_kind_of_figure_of_an_experiment_is_in_the_gallery():
    from typing import get_args

    from markone.lab.load import load_declaration
    from markone.lab.schema import FigureSpec

    shown = set()
    for script in GALLERY:
        text = script.read_text(encoding="utf-8")
        for name in re.findall(r'Experiment\.load\("(\w+)"\)', text):
            drawn = set(re.findall(r'\.plot\("(\w+)"', text))
            shown |= {figure.kind for figure in load_declaration(name).figures if figure.name in drawn}
    assert shown == set(get_args(FigureSpec.model_fields["kind"].annotation))


# Calls that at least one script must contain.
REQUIRED = {
    "a pipeline": r"make_pipeline\(",
    "a search": r"GridSearchCV\(",
    "persistence": r"sio\.dumps\(",
    "a stream": r"\.partial_fit\(",
    "missing values": r"np\.nan",
    "a sweep on Dask": r'"backend": "dask"|backend="dask"',
    "shards as SLURM runs them": r'"--shard"',
    "a table": r'run_command_line\(\["fit"',
}


@pytest.mark.parametrize("subject", REQUIRED)
def test_the_gallery_shows(subject):
    assert any(re.search(REQUIRED[subject], script.read_text(encoding="utf-8")) for script in GALLERY)


def test_every_estimator_is_in_the_list():
    from markone.base import registry

    page = (DOCS / "estimators.md").read_text(encoding="utf-8")
    assert [name for name in registry.public_estimators() if f"`{name}`" not in page] == []


def test_topics_lists_every_page():
    listed = set((DOCS / "topics.md").read_text().split())
    others = {"index", "topics", "how_do_i", "trust"}
    assert {page.stem for page in DOCS.glob("*.md")} - others <= listed
