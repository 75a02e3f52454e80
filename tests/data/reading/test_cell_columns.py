"""Columns of numbers and of texts: what is kept, and how pieces become one."""

import numpy as np
import pyarrow
import pytest
from written_tables import read, texts, written

from markone.data.reading import text
from markone.data.reading.arrow import column_from_arrow
from markone.data.reading.columns import (
    NumberColumn,
    TextColumn,
    format_cell_number,
    join_columns,
    parse_number,
)


def of(*cells, **more):
    return column_from_arrow(pyarrow.array(list(cells)), **more)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "+2.5", ".5", "5.", "1e5", "-0"], [1, 2.5, 0.5, 5, 1e5, 0]),
        ([" 1", "2 ", "\t3"], [1, 2, 3]),
        (
            ["0.1", "1e-400", "4.9e-324", "179769313486231570000e288"],
            [0.1, 0, 5e-324, 1.7976931348623157e308],
        ),
        (["1", "", "NA", "n/a"], [1, np.nan, np.nan, np.nan]),
    ],
)
def test_numbers_are_numbers_with_nothing_lost(cells, values):
    column = of(*cells)
    assert isinstance(column, NumberColumn)
    np.testing.assert_array_equal(column.values, values)


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", "1_000", "0x10", "12 kg", "1,5", "--1", "1e"])
def test_what_is_no_finite_number_makes_a_column_of_texts(cell):
    column = of("1", cell, "")
    assert isinstance(column, TextColumn)
    assert column.texts() == ["1", cell, ""]
    assert column.wrong.tolist() == [1]


def test_digits_of_other_alphabets_are_numbers_for_python():
    column = of("１２", "3")
    assert isinstance(column, TextColumn)
    assert column.numbers.tolist() == [12, 3]
    assert len(column.wrong) == 0


def test_a_decimal_comma():
    assert of("1,5", "2", "3.25", decimal=",").values.tolist() == [1.5, 2, 3.25]
    assert parse_number("1,5") != parse_number("1,5")
    assert of("1,5", "x", decimal=",").numbers[0] == 1.5


def test_the_words_for_a_missing_value_are_remembered_row_by_row():
    column = of("1", "", "NA", "na ", "5")
    assert column.missing_markers == ["", "NA", "na"]
    assert column.only(np.array([0, 2])).missing_markers == ["NA"]
    assert of("x", "?", "x").missing_markers == ["?"]
    assert of("x", "?", "x").only(np.array([0])).missing_markers == []


def test_texts_are_counted_in_the_order_they_appear():
    column = of("b", "a", " b", "", "c")
    assert column.count_texts() == {"b": 2, "a": 1, "c": 1}
    assert column.only(np.array([4, 1, 0])).count_texts() == {"c": 1, "a": 1, "b": 1}


def test_pieces_become_one_column():
    pieces = [of("1", "?"), of("2"), of("", "3", "?")]
    numbers = join_columns(pieces, np.concatenate([piece.values for piece in pieces]))
    np.testing.assert_array_equal(numbers.values, [1, np.nan, 2, np.nan, 3, np.nan])
    assert {m: rows.tolist() for m, rows in numbers.marks.items()} == {
        "?": [False, True, False, False, False, True],
        "": [False, False, False, True, False, False],
    }
    words = join_columns([of("a", "b"), of("b", "c"), of("a", "x")], np.empty(0))
    assert words.texts() == ["a", "b", "b", "c", "a", "x"]
    assert words.levels == ["a", "b", "c", "x"]


@pytest.mark.parametrize(("value", "shown"), [(1.0, "1"), (-2.5, "-2.5"), (1e300, "1e+300"), (np.nan, "")])
def test_a_number_in_its_shortest_text(value, shown):
    assert format_cell_number(value) == shown


@pytest.fixture
def small_blocks(monkeypatch):
    """So that a small file comes in many batches."""
    monkeypatch.setattr(text, "SIZE", 200)
    monkeypatch.setattr(text, "ROWS_BY_HAND", 7)


def test_a_text_that_comes_late_brings_back_the_texts_before_it(tmp_path, small_blocks):
    cells = [f"{k:03}" for k in range(300)]
    cells[250] = "late"
    path = written(tmp_path, "n,a,k\n" + "".join(f"{k},{cell},x\n" for k, cell in enumerate(cells)))
    table = read(path, kept=())
    assert table.columns["a"].texts() == cells
    assert table.columns["n"].values.tolist() == list(range(300))


@pytest.mark.parametrize("where", [3, 150, 299])
def test_a_row_of_another_length_is_named_wherever_it_stands(tmp_path, small_blocks, where):
    lines = [f"{k},x" for k in range(300)]
    lines[where] += ",more"
    with pytest.raises(ValueError, match=f"Row {where + 1} of table.csv has 3 cells, but the header has 2"):
        read(written(tmp_path, "a,k\n" + "\n".join(lines)))


def test_quotes_that_only_python_understands_are_read_by_hand(tmp_path, small_blocks):
    lines = [f'{k}, "x, {k}"' for k in range(50)]
    table = read(written(tmp_path, "a, k\n" + "\n".join(lines)))
    assert texts(table) == {"a": [str(k) for k in range(50)], "k": [f"x, {k}" for k in range(50)]}


def test_undefined_bytes_of_windows_do_not_stop_the_reading(tmp_path, small_blocks):
    content = b"a,k\n" + b"1,\xe4\n" * 200 + b"2,\x81\n" + b"3,z\n" * 100
    table = read(written(tmp_path, content))
    assert len(table) == 301
    assert table.columns["k"].count_texts() == {"ä": 200, "\N{REPLACEMENT CHARACTER}": 1, "z": 100}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_end_of_a_line(tmp_path, small_blocks, end):
    table = read(written(tmp_path, end.join(["a,k", *(f"{k},x" for k in range(200))])), kept=())
    assert table.columns["a"].values.tolist() == list(range(200))


def test_empty_rows_count_nowhere(tmp_path, small_blocks):
    body = "".join(f"{k},x\n,\n   \n , \n,,,\n" for k in range(100))
    table = read(written(tmp_path, ",\na,k\n" + body), kept=())
    assert table.columns["a"].values.tolist() == list(range(100))
    assert table.rows.tolist() == list(range(1, 101))


def test_thousands_of_columns_of_one_name_are_soon_told_apart(tmp_path):
    table = read(written(tmp_path, ",".join(["x"] * 5000) + "\n" + ",".join(["1"] * 5000) + "\n"), kept=())
    assert list(table.columns)[4999] == "x (5000)"


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (pyarrow.array([1, None, 3]), [1, np.nan, 3]),
        (pyarrow.array([0.5, float("nan")]), [0.5, np.nan]),
        (pyarrow.array([2**40, 7], pyarrow.uint64()), [2.0**40, 7]),
    ],
)
def test_typed_columns_are_taken_as_they_are(cells, values):
    np.testing.assert_array_equal(column_from_arrow(cells).values, values)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (pyarrow.array([True, None]), ["true", ""]),
        (pyarrow.array([None, None]), ["", ""]),
        (pyarrow.array([1.0, float("inf")]), ["1.0", "inf"]),
        (pyarrow.array(["a", None, "b"]).dictionary_encode(), ["a", "", "b"]),
        (pyarrow.array([18000], pyarrow.date32()), ["2019-04-14"]),
    ],
)
def test_typed_columns_that_are_no_numbers(cells, said):
    assert column_from_arrow(cells).texts() == said


def test_typed_numbers_can_be_kept_as_text():
    assert column_from_arrow(pyarrow.array([2**60 + 1, 5]), as_text=True).texts() == [str(2**60 + 1), "5"]
