"""Text tables in common formats: what is read, what is refused, and the messages."""

from pathlib import Path

import pytest
from written_tables import EXPECTED, plain, read, texts, written

from markone.data.reading.dialect import detect_dialect
from markone.errors import BadTable


@pytest.mark.parametrize(
    ("separator", "word"), [(",", None), (";", "semicolons"), ("\t", "tabs"), ("|", "bars"), ("  ", "blanks")]
)
def test_the_separator_is_found_and_said(tmp_path, separator, word):
    raw = read(written(tmp_path, plain(separator)))
    assert texts(raw) == EXPECTED
    assert any(word in note for note in raw.notes) if word else raw.notes == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path, encoding):
    assert texts(read(written(tmp_path, plain(), encoding=encoding))) == EXPECTED


def test_windows_letters_are_read_and_said(tmp_path):
    raw = read(written(tmp_path, plain(names="größe b k"), encoding="cp1252"))
    assert list(raw.columns) == ["größe", "b", "k"]
    assert raw.notes == ["The file is not UTF-8; it was read as Windows-1252."]


def test_decimal_commas(tmp_path):
    raw = read(written(tmp_path, plain(";").replace(".", ",")))
    assert texts(raw)["b"] == ["1,25", "2,5", "-3,125"]
    assert raw.columns["b"].numbers.tolist() == [1.25, 2.5, -3.125]
    assert "Numbers are written with a decimal comma." in raw.notes


def test_quoted_newlines_and_separators_belong_to_their_cell(tmp_path):
    raw = read(written(tmp_path, 'a,note,k\n1,"x,\ny",yes\n2,"say ""no""",no\n'))
    assert raw.columns["note"].texts() == ["x,\ny", 'say "no"']


def test_names_that_stand_twice_or_not_at_all_are_told_apart(tmp_path):
    raw = read(written(tmp_path, "a,a,,k\n1,2,3,x\n4,5,6,y\n"))
    assert list(raw.columns) == ["a", "a (2)", "column 3", "k"]
    assert "The name 'a' stands twice in the header; column 2 is called 'a (2)' here." in raw.notes
    assert "Column 3 has no name; it is called 'column 3' here." in raw.notes


def test_empty_lines_and_blanks_round_cells_do_not_count(tmp_path):
    content = "\n\n" + plain().replace("\n", "\n\n").replace(",", " , ")
    assert texts(read(written(tmp_path, content))) == EXPECTED


def test_without_a_header(tmp_path):
    path = written(tmp_path, "1,2\n3,4\n")
    with pytest.raises(BadTable, match=r"holds only numbers .*use --no-header"):
        read(path)
    raw = read(path, header=False)
    assert texts(raw) == {"c1": ["1", "3"], "c2": ["2", "4"]}
    assert raw.notes == ["The columns were named c1 to c2."]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "table.csv is empty"),
        ("  \n\n", "table.csv is empty"),
        ("a,b,k\n", "has a header but no rows"),
        ("a\n1\n2\n", "has a single column"),
        ("a,b,k\n1,2,yes\n1,2,3,no\n1,2,no\n", "Row 2 of table.csv has 4 cells, but the header has 3"),
        (
            'a,b,k\n1,"2,yes\n' + "3,4,no\n" * 99,
            r"Row 1 of table.csv has 2 cells.* is a quote not closed",
        ),
        (b"PK\x03\x04 sheet", "looks like a spreadsheet"),
        (bytes(range(256)), "is not a table of text"),
        ("<!DOCTYPE html>\n<html> a, b</html>", "is a web page"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, content, sentence):
    with pytest.raises(BadTable, match=sentence):
        read(written(tmp_path, content))


def test_quoted_thousands_are_no_decimals(tmp_path):
    path = Path(written(tmp_path, 'a,k\n"1,234",x\n"2,345",y\n"3,456",x\n'))
    assert detect_dialect(path).decimal == "."
    assert detect_dialect(Path(written(tmp_path, 'a,k\n"1,234",x\n"2,3",y\n'))).decimal == ","
