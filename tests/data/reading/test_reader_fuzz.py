"""Any file gives a table or an error message; pyarrow and Python's parser agree cell by cell."""

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from written_tables import read, texts

from markone.data import chunks, load
from markone.data.reading import text
from markone.data.reading.cell_table import TableFile
from markone.data.reading.columns import is_missing, parse_number

QUICK = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
SEPARATORS = st.sampled_from([",", ";", "\t", "|"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])
LETTERS = st.characters(codec="cp1252", exclude_characters="\0\r\x1a")
WORDS = st.text(LETTERS, max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers(-99, 99).map(str)
CELLS = WORDS | NUMBERS | st.sampled_from(["", "NA", "?", "nan", "inf", "yes", "1,5", "+1.5", "1_0", '"'])
TABLES = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=12)
)


def written(rows, separator, encoding, end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue().encode(encoding)


@QUICK
@given(rows=TABLES, separator=SEPARATORS, encoding=ENCODINGS, end=st.sampled_from(["\n", "\r\n"]))
@example(rows=[["\x85", "1"], ["a", "2"]], separator=",", encoding="utf-8", end="\n")
def test_what_was_written_is_read(tmp_path, rows, separator, encoding, end):
    names = [f"name {k}" for k in range(len(rows[0]))]
    path = tmp_path / "t.csv"
    path.write_bytes(written([names, *rows], separator, encoding, end))
    file = TableFile(path)
    if file.dialect.separator != separator:
        return  # something in the cells may be the more regular separator
    if encoding == "cp1252" != file.dialect.encoding and not path.read_bytes().isascii():
        return  # some bytes of Windows are letters in UTF-8 as well
    expected = [[cell.strip() for cell in row] for row in rows]
    expected = [row for row in expected if any(row)]
    if not expected:
        with pytest.raises(ValueError, match="no rows"):
            read(path)
        return
    found = texts(read(path))
    assert [list(row) for row in zip(*found.values(), strict=True)] == expected
    numbers = read(path, kept=())
    for name, cells in zip(names, zip(*expected, strict=True), strict=True):
        column = numbers.columns[name]
        right = [is_missing(cell) or parse_number(cell, file.dialect.decimal) for cell in cells]
        if hasattr(column, "values"):
            # Bit for bit what Python reads.
            assert [x for x in column.values if x == x] == [x for x in right if x is not True]
            assert column.missing.tolist() == [x is True for x in right]
        else:
            assert column.texts() == list(cells)


@QUICK
@given(rows=TABLES, separator=SEPARATORS, header=st.booleans())
def test_by_hand_is_the_same_as_by_pyarrow(tmp_path, rows, separator, header):
    path = tmp_path / "t.csv"
    path.write_bytes(written(rows, separator, "utf-8"))
    with suppress(ValueError):
        file = TableFile(path, header)
        fast = [row for batch in file.read_batches() for row in zip(*batch.to_pydict().values(), strict=True)]
        slow = [
            row
            for batch in text.parse_by_hand(path, file.dialect, header, None, 0)
            for row in zip(*batch.to_pydict().values(), strict=True)
        ]
        assert [[cell.strip() for cell in row] for row in fast] == [list(row) for row in slow]


@QUICK
@given(content=st.binary(max_size=300) | st.text('ab1.,;|\t "\r\n\ufeff?', max_size=200).map(str.encode))
@example(content=b'a,b\n"1,2\n')
@example(content=b"a b\n1  2 \n 3 4")
@example(content=b"a,b\n1,\x81\n")
@example(content=b"\xff\xfea,b")
@example(content=b"\xff\xfe\x00")
@example(content=b"a,b\n1,2\n" + b"x" * 11_000_000)
def test_any_bytes_give_a_table_or_a_sentence(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    # A ValueError is a sentence; anything else would be a traceback.
    with suppress(ValueError):
        table = read(path)
        assert len({len(column) for column in table.columns.values()}) == 1
    with suppress(ValueError):
        load(path, target="b")
    with suppress(ValueError):
        assert sum(len(piece.y) for piece in chunks(path, "b", 2)) > 0


@QUICK
@given(content=st.binary(max_size=200))
def test_any_bytes_as_parquet(tmp_path, content):
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="Parquet"):
        read(path)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cells=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=9), data=st.data()
)
def test_blanks_as_separators(tmp_path, cells, data):
    path = tmp_path / "t.txt"
    blanks = st.integers(1, 4).map(" ".__mul__)
    lines = ["a  b"] + [f"{data.draw(blanks)}{x!r}{data.draw(blanks)}w{data.draw(blanks)}" for x in cells]
    path.write_text("\n".join(lines))
    table = read(path, kept=())
    assert table.columns["a"].values.tolist() == cells
    assert table.columns["b"].texts() == ["w"] * len(cells)
