"""The shipped experiments: what they declare can be run, seen and decided, and is explained.

Names, keys and values are checked by `load` itself: a new experiment or scenario needs no line here.
"""

import re
import tomllib

import pytest

from markone.lab import catalogue
from markone.lab.documents.spec import load_document
from markone.lab.load import load_declaration
from markone.lab.schema import matches_where

NAMES = catalogue.experiment_names()


def every(test):
    return pytest.mark.parametrize("name", NAMES)(test)


def left(declaration, where):
    """The grid points selected by a filter, as {axis: values}."""
    points = [point for point in declaration.points() if matches_where(point, where)]
    return {key: list(dict.fromkeys(point[key] for point in points)) for key in declaration.grid}


def test_all_experiments_of_the_source_documents_are_there():
    assert set(NAMES) >= {
        *("capacity", "capacity_large", "capacity_1000", "capacity_sweeps", "learning_a_rule", "label_noise"),
        *("stability", "convergence", "online", "lms", "perceptron_rule", "demo_capacity", "demo_rule"),
    }


@every
def test_an_experiment_is_named_like_its_file_and_shows_and_claims_something(name):
    declaration = load_declaration(name)
    assert declaration.name == name
    assert declaration.title
    assert declaration.figures or declaration.tables
    assert declaration.claims
    assert "\n" not in declaration.read_first.strip()  # one paragraph: a break in the file is escaped


@every
def test_axes_have_values_of_one_kind(name):
    for values in load_declaration(name).grid.values():
        assert len({type(value) for value in values}) == 1


@every
def test_figures_and_tables_show_some_points(name):
    declaration = load_declaration(name)
    for part in [*declaration.figures, *declaration.tables]:
        assert all(left(declaration, part.where).values()), part.name
    for figure in declaration.figures:
        if figure.kind != "picture":
            assert figure.xlabel, figure.name
            assert figure.ylabel, figure.name
            assert figure.x not in figure.lines


@every
def test_figures_have_few_enough_lines_to_be_read(name):
    declaration = load_declaration(name)
    for figure in declaration.figures:
        if figure.kind == "lines":
            count = len(figure.measures)
            for key, values in left(declaration, figure.where).items():
                count *= len(values) if key != figure.x else 1
            assert count <= 12, figure.name


@every
def test_claims_are_about_some_points_and_can_be_decided(name):
    declaration = load_declaration(name)
    for claim in declaration.claims:
        chosen = left(declaration, claim.where)
        assert claim.text.strip()
        assert all(chosen.values()), claim.text
        for key in (claim.expect.falls_with, claim.expect.rises_with):
            assert key is None or len(chosen[key]) > 1, claim.text
        for line in (claim.expect.below_line, claim.expect.above_line):
            for key, value in (line or {}).items():
                assert value in declaration.grid[key], claim.text


def test_the_settings_of_the_reports():
    """Table I of the storage report and section IV of the stability report."""
    base, large, fine = (load_declaration(name) for name in ("capacity", "capacity_large", "capacity_1000"))
    assert base.grid["N"] == [20, 40]
    assert base.grid["alpha"] == [0.5 + 0.25 * k for k in range(15)]
    assert base.fixed["sweeps"] == 100
    assert [item.repeats for item in load_document("storage").item if item.figure == "capacity"] == [50]
    report = load_declaration("capacity_report")
    assert (report.grid, report.max_repeats) == (large.grid, 5000)
    # As precise everywhere as 5000 data sets are at the worst, with two of each answer added.
    assert report.precision >= 0.5 / 5004**0.5 > report.precision - 0.0002
    assert large.grid["N"] == [5, 20, 40, 100]
    assert len(large.grid["alpha"]) == 701
    assert (large.repeats, large.fixed["sweeps"]) == (5000, 100)
    assert (fine.grid["N"], fine.precision, fine.precision_of) == ([1000], 0.007, "separable")
    for name in ("learning_a_rule", "label_noise"):
        rule = load_declaration(name)
        assert (rule.fixed["N"], rule.fixed["max_sweeps"], rule.repeats) == (200, 250, 50)
        assert {"minover", "rosenblatt"} <= set(rule.grid["student"])


@every
def test_every_key_that_can_be_changed_is_explained(name):
    text = (catalogue.FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)
    text = re.split(r"^\[\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    text = re.sub(r'read_first = """.*?"""', "", text, flags=re.DOTALL)
    assert text.startswith("# ")
    assert catalogue.TIME.search(text.split("\nname")[0] + "\n"), "# About 5 s on one core."
    assert catalogue.find_experiment(name).chapter in catalogue.CHAPTERS
    for line in text.splitlines():
        if " = " in line and not line.startswith(("#", "name", "title")):
            assert "  # " in line, line
