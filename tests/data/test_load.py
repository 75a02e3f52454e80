"""Files as tables, and all errors they can contain."""

import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest

from markone.data import chunks, load, loading
from markone.data.reading.columns import MISSING
from markone.tables.source import read_data


@pytest.fixture
def write(tmp_path):
    def write(text, name="table.csv", encoding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        return tmp_path / name

    return write


GOOD = "length,width,kind\n1.5,2,a\n3,,b\n5,?,a\n7,1,b\n"


def test_a_csv_file_with_missing_values(write):
    table = load(write(GOOD), target="kind")
    np.testing.assert_array_equal(table.X, [[1.5, 2], [3, np.nan], [5, np.nan], [7, 1]])
    assert table.y.tolist() == ["a", "b", "a", "b"]
    assert table.feature_names == ["length", "width"]
    assert table.class_names == ["a", "b"]
    assert table.notes == ["2 values are missing ('width': 2): left as NaN, to be filled or masked."]
    assert table.name == "table"


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_and_a_byte_order_mark(write, separator):
    table = load(write(GOOD.replace(",", separator), encoding="utf-8-sig"), target="kind")
    assert table.feature_names == ["length", "width"]
    assert table.X[3].tolist() == [7, 1]


def both(path, target):
    """What `load` and `markone fit` make of the same file."""
    table, raw = load(path, target=target), read_data(str(path))
    inputs = [raw.columns[name].numbers for name in table.feature_names]
    np.testing.assert_array_equal(table.X, np.transpose(inputs))
    assert table.y.tolist() == raw.columns[target].texts()
    assert table.notes[: len(raw.notes)] == raw.notes
    return table


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("decimal", [".", ","])
def test_load_and_fit_find_the_same_in_the_same_file(write, encoding, separator, decimal):
    number = '"{}{}5"' if decimal == separator else "{}{}5"
    lines = [number.format(k, decimal) + separator + "äb"[k % 2] for k in range(6)]
    text = "\n".join([f"größe{separator}k", *lines])
    table = both(write(text, encoding=encoding), "k")
    assert table.X.ravel().tolist() == [k + 0.5 for k in range(6)]
    assert ("The file is not UTF-8; it was read as Windows-1252." in table.notes) == (encoding == "cp1252")
    assert ("Numbers are written with a decimal comma." in table.notes) == (decimal == ",")


def test_all_spellings_of_a_missing_value_are_missing_for_both(write):
    words = sorted({"".join(s) for word in MISSING for s in product(*((c, c.upper()) for c in word))})
    assert {"", "NaN", "nan", "NA", "N/A", "null", "?", "<NA>"} <= set(words)
    rows = "".join(f"{k},{word},{'xy'[k % 2]}\n" for k, word in enumerate([*words, "1", "2"]))
    path = write("n,a,k\n" + rows)
    assert np.isnan(load(path, target="k").X[:, 1]).sum() == len(words)
    assert read_data(str(path)).columns["a"].missing.sum() == len(words)


def test_a_very_long_header_is_looked_at_whole(write):
    names = [f"a rather long name of a feature {k}" for k in range(4000)]
    rows = "".join(",".join(["1", *["0"] * 3998, kind]) + "\n" for kind in "xyxy")
    path = write(",".join(names) + "\n" + rows)
    assert both(path, names[-1]).X.shape == (4, 3999)


def test_parquet_is_the_same_table(write, tmp_path):
    expected = load(write(GOOD), target="kind")
    pd.read_csv(write(GOOD), na_values=["?"]).to_parquet(tmp_path / "same.parquet")
    table = load(tmp_path / "same.parquet", target="kind")
    np.testing.assert_array_equal(table.X, expected.X)
    np.testing.assert_array_equal(table.y, expected.y)
    assert table.notes == expected.notes


def test_whole_numbers_truth_values_and_categories(write):
    text = "n,old,colour,kind\n1,True,red,3\n2,False,blue,5\n3,True,red,3\n4,True,green,5\n"
    table = load(write(text), target="kind")
    assert table.y.dtype.kind == "i"
    assert table.text_columns == ["colour"]
    assert table.X["colour"].tolist() == ["red", "blue", "red", "green"]
    assert table.X["old"].tolist() == [1, 0, 1, 1]
    assert table.notes == [
        "Truth values in 'old': taken as 0 and 1.",
        "Text in 'colour': kept as categories, to be encoded.",
    ]
    assert load(write(text), target="old").y.dtype == bool
    assert load(write(text), target="colour").class_names == ["blue", "green", "red"]


def test_what_is_odd_is_told_and_left(write):
    rows = "".join(f"1,{k},{kind}\n" for k, kind in enumerate(["a", "b", "a", "", "c"]))
    table = load(write("same,n,kind\n" + rows), target="kind")
    assert len(table.y) == 4
    assert table.notes == [
        "1 of 5 rows have no target (first: row 4): dropped.",
        "One value only in 'same': nothing to learn from there.",
        "One example only of 'b', 'c': it cannot be validated.",
    ]
    measured = load(write("n,size\n1,0.5\n2,0.7\n3,0.5\n4,0.7\n"), target="size")
    assert "2 different numbers, not whole ones" in measured.notes[0]


@pytest.mark.parametrize(
    ("text", "target", "sentence"),
    [
        (GOOD, "Kid", "no column 'Kid'. Did you mean 'kind'.*length, width, kind"),
        (GOOD, None, "Name the column .* to be predicted: .* It has length, width, kind"),
        (GOOD.replace("7,1", "7,wide"), "kind", "'width' .* row 4 .* has 'wide'. Correct it"),
        ('a,k\n"1,5",x\n2.5,y\n3.5,x\n', "k", "row 1 .* has '1,5'.*with a point"),
        (GOOD.replace("1.5", "inf"), "kind", "'length' .* row 1 .* has inf"),
        ("a,k,k\n1,2,x\n", "k", "more than one column 'k'"),
        ("", "k", "is empty"),
        ("a,k\n", "k", "a header but no rows: only the names of 2 columns"),
        ("a,k\n\n\n", "k", "a header but no rows: only the names of 2 columns"),
        ("a,k\n1,x\n2,x\n", "k", "is 'x' in all 2 rows: two classes"),
        ("a,k\n1,\n2,\n", "k", "2 of 2 rows have no target .* nothing is left"),
        ("k\nx\ny\n", "k", "has a single column"),
        ("1,2\n3,4\n", "1", "holds only numbers"),
        ("a,k\n1,x\n2,y,3\n", "k", "Row 2 of table.csv has 3 cells, but the header has 2"),
        ("a,k\n1,x,3\n2,y,3\n", "k", "Row 1 of table.csv has 3 cells, but the header has 2"),
        ("a,b,k\n1,2,x\n3,y\n", "k", "Row 2 of table.csv has 2 cells, but the header has 3"),
        (",\n1,2\n", "k", "does not begin with a line of column names"),
    ],
)
def test_bad_tables_get_sentences(write, text, target, sentence):
    with pytest.raises(ValueError, match=sentence):
        load(write(text), target=target)


def test_load_and_fit_tell_names_apart_alike(write):
    table = both(write("a,a,,k\n1,2,3,x\n4,5,6,y\n7,8,9,x\n1,1,1,y\n"), "k")
    assert table.feature_names == ["a", "a (2)", "column 3"]
    assert "The name 'a' stands twice in the header; column 2 is called 'a (2)' here." in table.notes
    assert "Column 3 has no name; it is called 'column 3' here." in table.notes


def test_bad_files_get_sentences(write, tmp_path):
    with pytest.raises(ValueError, match="looks like a spreadsheet"):
        load(write("PK\x03\x04"), target="k")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load(tmp_path / "nothing.csv", target="k")
    with pytest.raises(ValueError, match=r"ends in '.xls'"):
        load(write(GOOD, "table.xls"), target="kind")
    with pytest.raises(ValueError, match="is not a Parquet file"):
        load(write(GOOD, "table.parquet"), target="kind")
    with pytest.raises(ValueError, match=r"no set 'irs'.*mean 'iris'"):
        load("irs")
    with pytest.raises(ValueError, match="iris has a target of its own"):
        load("iris", target="species")
    with pytest.raises(ValueError, match="wine comes with scikit-learn"):
        load("wine", folder=tmp_path)


def test_huge_files_are_counted_first_and_streamed(write, monkeypatch):
    monkeypatch.setattr(loading, "MOST_ROWS", 5)
    text = "a,k\n" + "".join(f"{i},{'xy'[i % 2]}\n" for i in range(7))
    with pytest.raises(ValueError, match=r"has 7 rows, more than 5. Stream it with markone.data.chunks"):
        load(write(text), target="k")
    pieces = list(chunks(write(text), "k", 3))
    assert [len(p.y) for p in pieces] == [3, 3, 1]
    assert np.concatenate([p.X for p in pieces]).ravel().tolist() == list(range(7))
    with pytest.raises(ValueError, match=r"row 8 .* has 'oops'"):
        list(chunks(write(text + "oops,x\n"), "k", 3))
    with pytest.raises(ValueError, match="rows = 0 in a piece"):
        chunks(write(text), "k", 0)
    with pytest.raises(ValueError, match="Did you mean 'k'"):
        chunks(write(text), "K")


def test_parquet_is_streamed_too(tmp_path):
    pd.DataFrame({"a": np.arange(7), "k": list("xyxyxyx")}).to_parquet(tmp_path / "t.parquet")
    assert [p.X[0, 0] for p in chunks(tmp_path / "t.parquet", "k", 3)] == [0, 3, 6]


def test_a_missing_pandas_or_pyarrow_is_named(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert load(write(GOOD), target="kind").X.shape == (4, 2)
    with pytest.raises(ImportError, match=r"pandas.*markone\[tables\]"):
        load(write(GOOD), target="length")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pyarrow.*markone\[tables\]"):
        load(write(GOOD), target="kind")
    with pytest.raises(ImportError, match=r"markone\[parquet\]"):
        load(write(GOOD, "t.parquet"), target="kind")


def test_names_are_loaded_when_they_are_used():
    code = "import markone.data, sys; assert not {'pandas', 'sklearn', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
