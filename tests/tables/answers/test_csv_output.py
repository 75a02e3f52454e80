"""CSV output without cells that a spreadsheet would evaluate."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markone.numerics.files import escape_formula
from markone.tables.table_prediction import to_safe_csv


@pytest.mark.parametrize(
    "cell", ['=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "\r=1"]
)
def test_formulas_become_texts(cell):
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-1.5", "+3", "1e-9", "", "ok", "a=b", "-1.5e+300", "p-value"])
def test_numbers_and_words_stay(cell):
    assert escape_formula(cell) == cell


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\r")), min_size=1, max_size=4))
def test_every_cell_comes_back_or_quoted(cells):
    (again,) = csv.reader(io.StringIO(to_safe_csv(cells, []), newline=""))
    assert [text in (cell, f"'{cell}") for text, cell in zip(again, cells, strict=True)] == [True] * len(
        cells
    )
    assert not any(text[:1] in ("=", "@") for text in again)
