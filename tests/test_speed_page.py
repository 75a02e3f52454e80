"""The tables of docs/speed.md and README.md are those of benchmarks/measured.json, never written by hand."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def written(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import results_file

    yield results_file
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def test_the_pages_show_the_measured_rows(written):
    speed, readme = written.SPEED.read_text(), written.README.read_text()
    for mark, lines in (
        ("the table", written.table_lines()),
        ("the misses", written.missed_lines()),
        ("the growth", written.growth_lines()),
    ):
        assert written.replace_between(speed, mark, lines) == speed, (
            f"run python -m benchmarks --tables ({mark})"
        )
    assert written.replace_between(readme, "speed", written.readme_lines()) == readme


def test_a_row_shows_its_goal_and_how_far_it_is_missed(written):
    from benchmarks.timing import Row, describe_miss

    good, bad = Row("a | b", "peer", 1e-3, 2e-3, 2.0, 1.5), Row("c", "peer", 1.0, 0.9, 0.9, 1.2, "note")
    assert describe_miss(good) == ""
    assert written.format_line(good) == "| a \\| b | 1 ms | peer | 2 ms | 2 × | 1.5 × | met |  |"
    assert written.format_line(bad) == "| c | 1 s | peer | 900 ms | 0.9 × | 1.2 × | missed by 25% | note |"


def test_a_benchmark_measured_again_replaces_its_own_rows_only(written, tmp_path, monkeypatch):
    from benchmarks.timing import Row

    monkeypatch.setattr(written, "KEPT", tmp_path / "measured.json")
    written.store_rows("b", [Row("x", "peer", 1.0, 2.0, 2.0, 1.0)], 3.2)
    written.store_rows("a", [Row("y", "peer", 1.0, 2.0, 2.0, 3.0)], 1.0)
    written.store_rows("b", [Row("z", "peer", 1.23456, 2.0, 1.62, 1.0)], 4.0)
    assert [
        row.case
        for name in written.load_measured()
        for row in written.load_rows_of(written.load_measured(), name)
    ] == [
        "y",
        "z",
    ]
    assert written.load_measured()["b"]["rows"][0]["ours"] == 1.235
    assert written.load_measured()["a"]["cpu"]
    assert "".join(written.missed_lines()) == "- y against peer: 2 × where 3 × was asked for, missed by 33%."


def test_marks_are_required(written):
    with pytest.raises(ValueError, match="There must be"):
        written.replace_between("nothing", "the table", [])
