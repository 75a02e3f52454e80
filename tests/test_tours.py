"""The tours with the changes that they invite the reader to make: each variation runs to its assertions."""

import importlib.util
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

TOURS = Path(__file__).parent.parent / "docs" / "tours"
spec = importlib.util.spec_from_file_location("run_page", TOURS.parent / "generate" / "run_page.py")
run_page = sys.modules["run_page"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run_page)
EDIT = '```\n\n```python\nfrom pathlib import Path\n\nfile = Path("{0}")\ntext = file.read_text()\n'
EDIT += 'assert """{1}""" in text\nfile.write_text(text.replace("""{1}""", """{2}"""))\n```\n\n```sh\n'


def run_variation(tour, first, last, changes):
    """Run the part of a tour between two of its sentences, with other text; the printed lines."""
    mpl.use("Agg")
    text = (TOURS / f"{tour}.md").read_text(encoding="utf-8")
    text = text[text.index(first) : text.index(last)]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return "".join(block.printed for block in run_page.run_blocks(text, tour))


FORMULA = ("researcher", "```python", "## Against theory")


@pytest.mark.parametrize(
    "formula", ["1", "max(0, 1 - E)", "1 if E <= 0 else 0", "log(1 + exp(-E))", "1/(1 + exp(E))"]
)
def test_the_researcher_writes_another_formula(formula):
    run_variation(*FORMULA, [("exp(-max(E, 0))", formula)])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_the_researcher_takes_another_seed(seed):
    run_variation(*FORMULA, [("seed=0", f"seed={seed}")])


def test_the_formula_that_diverges_is_refused_as_the_page_says():
    with pytest.raises(ValueError, match=r"'exp\(-E\)' was not finite at example .* Bound it with min"):
        run_variation(*FORMULA, [("exp(-max(E, 0))", "exp(-E)")])


@pytest.mark.parametrize(
    ("old", "new"), [("N = [5, 20, 40]", "N = [8, 16]"), ("repeats = ", "repeats = 200 # ")]
)
def test_the_lecturer_edits_the_copy_of_an_experiment(old, new):
    edit = EDIT.format("mine.toml", old, new) + "markone check mine.toml"
    run_variation(
        "lecturer", "For an experiment of your own", "## Why students", [("markone check mine.toml", edit)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("student", ["adatron", "ridge", "GLVQ"])
def test_the_researcher_declares_another_student(student):
    run_variation(
        "researcher",
        "## A sweep that can",
        "## On a cluster",
        [('"hebb", "adaline"', f'"hebb", "{student}"')],
    )
