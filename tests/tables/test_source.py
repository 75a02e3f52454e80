"""Tables as people have them: what is understood, what is refused, and in which words."""

import numpy as np
import pytest

from markone.data.dialect import BadTable
from markone.tables.source import read

ROWS = [(0.5, 1.25, "yes"), (-0.75, 2.5, "no"), (1.5, -3.125, "yes")]


def written(tmp_path, content, name="table.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return str(path)


def plain(separator=",", names="a b k"):
    lines = [separator.join(names.split())] + [separator.join(map(str, row)) for row in ROWS]
    return "\n".join(lines) + "\n"


EXPECTED = {"a": ["0.5", "-0.75", "1.5"], "b": ["1.25", "2.5", "-3.125"], "k": ["yes", "no", "yes"]}


@pytest.mark.parametrize(
    ("separator", "word"), [(",", None), (";", "semicolons"), ("\t", "tabs"), ("|", "bars"), ("  ", "blanks")]
)
def test_the_separator_is_found_and_said(tmp_path, separator, word):
    raw = read(written(tmp_path, plain(separator)))
    assert raw.columns == EXPECTED
    assert any(word in note for note in raw.notes) if word else raw.notes == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path, encoding):
    assert read(written(tmp_path, plain(), encoding=encoding)).columns == EXPECTED


def test_windows_letters_are_read_and_said(tmp_path):
    raw = read(written(tmp_path, plain(names="größe b k"), encoding="cp1252"))
    assert list(raw.columns) == ["größe", "b", "k"]
    assert raw.notes == ["The file is not UTF-8; it was read as Windows-1252."]


def test_decimal_commas(tmp_path):
    raw = read(written(tmp_path, plain(";").replace(".", ",")))
    assert raw.decimal == ","
    assert raw.number("1,25") == "1.25"
    assert "Numbers are written with a decimal comma." in raw.notes


def test_quoted_newlines_and_separators_belong_to_their_cell(tmp_path):
    raw = read(written(tmp_path, 'a,note,k\n1,"x,\ny",yes\n2,"say ""no""",no\n'))
    assert raw.columns["note"] == ["x,\ny", 'say "no"']


def test_names_that_stand_twice_or_not_at_all_are_told_apart(tmp_path):
    raw = read(written(tmp_path, "a,a,,k\n1,2,3,x\n4,5,6,y\n"))
    assert list(raw.columns) == ["a", "a (2)", "column 3", "k"]
    assert "The name 'a' stands twice in the header; column 2 is called 'a (2)' here." in raw.notes
    assert "Column 3 has no name; it is called 'column 3' here." in raw.notes


def test_empty_lines_and_blanks_round_cells_do_not_count(tmp_path):
    content = "\n\n" + plain().replace("\n", "\n\n").replace(",", " , ")
    assert read(written(tmp_path, content)).columns == EXPECTED


def test_without_a_header(tmp_path):
    path = written(tmp_path, "1,2\n3,4\n")
    with pytest.raises(BadTable, match=r"holds only numbers .*use --no-header"):
        read(path)
    raw = read(path, header=False)
    assert raw.columns == {"c1": ["1", "3"], "c2": ["2", "4"]}
    assert raw.notes == ["The columns were named c1 to c2."]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "table.csv is empty"),
        ("  \n\n", "table.csv is empty"),
        ("a,b,k\n", "has a header but no rows"),
        ("a\n1\n2\n", "has a single column"),
        ("a,b,k\n1,2,yes\n1,2,3,no\n1,2,no\n", "Row 2 of table.csv has 4 cells, but the header has 3"),
        ('a,b,k\n1,"2,yes\n' + "3,4,no\n" * 99, r"Row 1 of table.csv has 2 cells.* need quotes"),
        (b"PK\x03\x04 sheet", "looks like a spreadsheet"),
        (bytes(range(256)), "is not a table of text"),
        ("<!DOCTYPE html>\n<html> a, b</html>", "is a web page"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, content, sentence):
    with pytest.raises(BadTable, match=sentence):
        read(written(tmp_path, content))


def test_folders_and_names_that_do_not_exist(tmp_path):
    with pytest.raises(BadTable, match="is a folder"):
        read(str(tmp_path))
    with pytest.raises(BadTable, match=r"no set of that name. Did you mean 'iris'"):
        read("irs")
    with pytest.raises(BadTable, match=r"There is no file nothing.csv.* iris, wine"):
        read("nothing.csv")


def test_parquet_gives_the_same_texts(tmp_path):
    import pyarrow
    import pyarrow.parquet

    columns = {"a": [0.5, None], "flag": [True, False], "n": [1, 2], "k": ["yes", "no"]}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    raw = read(str(tmp_path / "t.parquet"))
    assert raw.columns == {"a": ["0.5", ""], "flag": ["true", "false"], "n": ["1", "2"], "k": ["yes", "no"]}
    with pytest.raises(BadTable, match="is not a Parquet file"):
        read(written(tmp_path, plain(), "wrong.parquet"))
    nested = pyarrow.table({"a": [[1, 2]], "k": ["x"]})
    pyarrow.parquet.write_table(nested, tmp_path / "nested.parquet")
    with pytest.raises(BadTable, match="nothing nested"):
        read(str(tmp_path / "nested.parquet"))


def test_a_set_by_name_knows_its_target():
    raw = read("iris")
    assert (len(raw), raw.target) == (150, "class")
    assert set(raw.columns["class"]) == {"setosa", "versicolor", "virginica"}


def test_large_tables_are_refused_or_sampled(tmp_path):
    path = written(tmp_path, "a,k\n" + "".join(f"{k},{k % 2}\n" for k in range(50)))
    with pytest.raises(
        BadTable, match=r"about 50 rows, more than the 10 .*--rows 20000.*markone.data.chunks"
    ):
        read(path, most=10)
    drawn = read(path, rows=20, seed=1)
    assert len(drawn) == 20
    assert drawn.numbers == sorted(drawn.numbers)
    assert [int(a) + 1 for a in drawn.columns["a"]] == drawn.numbers
    assert drawn.notes == ["20 of the 50 rows were drawn at random (seed 1)."]
    assert read(path, rows=20, seed=1).numbers == drawn.numbers
    assert not np.array_equal(read(path, rows=20, seed=2).numbers, drawn.numbers)
    assert len(read(path, rows=500)) == 50
