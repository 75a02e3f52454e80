"""The tables of docs/speed.md and README.md are those of benchmarks/measured.json, never written by hand."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def written(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import written

    yield written
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def test_the_pages_are_what_was_measured(written):
    speed, readme = written.SPEED.read_text(), written.README.read_text()
    for mark, lines in (
        ("the table", written.table()),
        ("the misses", written.misses()),
        ("the growth", written.growth()),
    ):
        assert written.between(speed, mark, lines) == speed, f"run python -m benchmarks --tables ({mark})"
    assert written.between(readme, "speed", written.first_lines()) == readme


def test_a_row_says_its_goal_and_by_how_much_it_is_missed(written):
    from benchmarks.timing import Row, missed

    good, bad = Row("a | b", "peer", 1e-3, 2e-3, 2.0, 1.5), Row("c", "peer", 1.0, 0.9, 0.9, 1.2, "note")
    assert missed(good) == ""
    assert written.line(good) == "| a \\| b | 1 ms | peer | 2 ms | 2 × | 1.5 × | met |  |"
    assert written.line(bad) == "| c | 1 s | peer | 900 ms | 0.9 × | 1.2 × | missed by 25% | note |"


def test_a_benchmark_measured_again_replaces_its_own_rows_only(written, tmp_path, monkeypatch):
    from benchmarks.timing import Row

    monkeypatch.setattr(written, "KEPT", tmp_path / "measured.json")
    written.keep("b", [Row("x", "peer", 1.0, 2.0, 2.0, 1.0)], 3.2)
    written.keep("a", [Row("y", "peer", 1.0, 2.0, 2.0, 3.0)], 1.0)
    written.keep("b", [Row("z", "peer", 1.23456, 2.0, 1.62, 1.0)], 4.0)
    assert [row.case for name in written.measured() for row in written.rows_of(written.measured(), name)] == [
        "y",
        "z",
    ]
    assert written.measured()["b"]["rows"][0]["ours"] == 1.235
    assert written.measured()["a"]["cpu"]
    assert "".join(written.misses()) == "- y against peer: 2 × where 3 × was asked for, missed by 33%."


def test_marks_must_be_there(written):
    with pytest.raises(ValueError, match="There must be"):
        written.between("nothing", "the table", [])
