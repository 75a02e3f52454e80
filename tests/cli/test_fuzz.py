"""Random arguments: a message and a documented exit code, never a traceback file."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from markone.cli import crash_report
from markone.cli.main import run_command_line
from markone.cli.theory import curves
from markone.errors import DeclarationError
from markone.lab.load import parse_declaration
from markone.run.outcomes import clean_text

SLOW = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
numbers = st.one_of(
    st.integers(), st.floats(), st.sampled_from([10**400, -(2**63), 2**63 - 1, 1e308, 5e-324])
)
scalars = st.one_of(numbers, st.booleans(), st.text(max_size=8))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)
)
keys = st.sampled_from(
    ["name", "title", "scenario", "seed", "repeats", "precision", "max_repeats", "task_limit"]
)
WHOLE = {
    "name": "b",
    "title": "t",
    "scenario": "storage",
    "seed": 1,
    "repeats": 2,
    "grid": {"N": [10], "alpha": [1.0]},
}


@SLOW
@given(
    st.dictionaries(keys, values, max_size=2), st.dictionaries(st.sampled_from(["N", "alpha", "x"]), values)
)
def test_any_declaration_is_read_or_refused(changes, grid):
    try:
        found = parse_declaration(WHOLE | changes | ({"grid": grid} if grid else {}))
    except DeclarationError:
        return
    assert len(found) >= 1


@SLOW
@given(st.text(max_size=30))
def test_any_name_of_a_declaration(tmp_path, capsys, name):
    # JSON's strings are TOML's; a lone surrogate cannot be written to a file.
    text = json.dumps(name.encode("utf-8", "replace").decode())
    (tmp_path / "b.toml").write_text(f"name = {text}\n")
    assert run_command_line(["slurm", str(tmp_path / "b.toml"), "--shards", "2"]) in (0, 2)
    said = capsys.readouterr().out
    assert all(line.isprintable() for line in said.split("\n"))


@SLOW
@given(st.lists(numbers.map(str), min_size=1, max_size=3), st.sampled_from([",", ":"]))
def test_any_numbers_of_a_curve(words, between):
    try:
        found = curves.parse_numbers(between.join(words))
    except ValueError:
        return
    assert len(found) <= curves.MAX_VALUES + 1


@SLOW
@given(st.lists(st.text(max_size=6), max_size=4))
def test_any_words_of_a_shell(capsys, words):
    words = [word for word in words if word not in ("lab", "docs", "doctor")]
    assert run_command_line(["theory", *words]) in (0, 2)
    assert run_command_line(["status", *words]) in (0, 2, 3)
    assert crash_report.EXIT_CODE == 70


@given(st.text(st.characters(), max_size=60))
def test_any_text_can_be_stored(text):
    assert clean_text(text).encode().decode() == clean_text(text)
    assert "\0" not in clean_text(text)


@pytest.mark.parametrize("text", ["\udcff", "a\0b", "x" * 10_000])
def test_odd_texts_are_cleaned(text):
    assert len(clean_text(text)) < 5000
    assert clean_text(text).encode()
