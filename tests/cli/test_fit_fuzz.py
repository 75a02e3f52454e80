"""Random tables: a result, or a message that names the problem."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from markone.cli.main import run_command_line

LETTERS = st.characters(codec="cp1252", exclude_characters="\0\r\n\x1a")
WORDS = st.text(LETTERS, max_size=6)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers(-9, 9).map(str)
SPECIAL = ["", "NA", "?", "yes", "1,5", "=1+1", "2024-01-31", "-999", " Blue", "blue"]
CELLS = WORDS | NUMBERS | st.sampled_from(SPECIAL)
COLUMN = st.lists(CELLS, min_size=12, max_size=12) | st.lists(NUMBERS, min_size=12, max_size=12)
WAYS = st.sampled_from(
    ["--missing median", "--missing indicator", "--sets 0.8", "--reject 0.9", "--cost b:a=3"]
).map(str.split)
FIT = "fit t.csv --target target --model knn --set n_neighbors=1 --cv 1x2 --save m.skops --json --force"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    columns=st.lists(COLUMN, min_size=1, max_size=3),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    more=WAYS,
)
@example(columns=[["1e308", "-1e308"] * 6], separator=",", encoding="utf-8", more=["--sets", "0.8"])
@example(columns=[["0.0", "-0.0"] * 6, ["=cmd"] * 6 + ["x"] * 6], separator=";", encoding="utf-16", more=[])
def test_a_table_is_answered_or_refused_in_a_sentence(here, capsys, columns, separator, encoding, more):
    header = [*(f"c{k}" for k in range(len(columns))), "target"]
    rows = [*zip(*columns, ["a", "b"] * 6, strict=True)]
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows([header, *rows])
    (here / "t.csv").write_bytes(out.getvalue().encode(encoding))
    code = run_command_line([*FIT.split(), *more])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    if code:
        assert code == 2
        assert told.err.strip().endswith((".", "?", "`", ")"))
        return
    found = json.loads(told.out)
    assert found["rows"] == sum(found["classes"].values()) <= 12
    assert run_command_line(["predict", "m.skops", "t.csv", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [row["row"] for row in again["rows"]] == list(range(1, len(again["rows"]) + 1))
    assert {row["label"] for row in again["rows"]} <= {"a", "b", None}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_end_of_lines_does_not_matter(here, capsys, ending):
    lines = ["x,k", *(f"{k % 5}.{k},{'ab'[k % 2]}" for k in range(20))]
    (here / "t.csv").write_bytes(ending.join(lines).encode())
    assert run_command_line(["fit", "t.csv", "--target", "k", "--cv", "1x2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"] == {"a": 10, "b": 10}
