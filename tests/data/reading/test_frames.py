"""Data frames, arrays and files of other formats become the same table as a CSV file."""

import gzip
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

from markone.data.reading import frames
from markone.data.reading.columns import NumberColumn
from markone.errors import BadTable
from markone.tables.source import read_data

FRAME = pd.DataFrame({"x": [1.5, 2.0, np.nan], "n": [1, 2, 3], "y": ["a", "b", None]}, index=[7, 8, 9])


def check(table):
    assert list(table.columns) == ["x", "n", "y"]
    assert isinstance(table.columns["x"], NumberColumn)
    np.testing.assert_array_equal(table.columns["x"].values, [1.5, 2.0, np.nan])
    np.testing.assert_array_equal(table.columns["n"].as_text().texts(), ["1", "2", "3"])
    assert table.columns["y"].texts() == ["a", "b", ""]


class ArrowStream:
    """What polars frames and DuckDB relations offer."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.Table.from_pandas(FRAME, preserve_index=False).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "data",
    [FRAME, pa.Table.from_pandas(FRAME, preserve_index=False), ArrowStream(), {n: FRAME[n] for n in FRAME}],
    ids=["pandas", "pyarrow", "any Arrow stream", "dict"],
)
def test_frames_in_memory(data):
    check(frames.table_from_object(data))


def test_an_array_has_numbered_columns():
    table = frames.table_from_object([[1.0, 2.0], [3.0, 4.0]])
    assert list(table.columns) == ["x0", "x1"]
    np.testing.assert_array_equal(table.columns["x1"].values, [2.0, 4.0])


@pytest.mark.parametrize("data", [np.zeros(3), "text", {"a": [1, 2], "b": [1]}, {}, {"a": np.zeros((2, 2))}])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(BadTable):
        frames.table_from_object(data)


def test_compressed_json_lines_and_feather(tmp_path):
    csv = FRAME.to_csv(index=False).encode()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(csv))
    rows = [{n: None if v != v else v for n, v in row.items()} for row in FRAME.to_dict("records")]
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    pyarrow.feather.write_feather(pa.Table.from_pandas(FRAME, preserve_index=False), tmp_path / "t.feather")
    for name in ("t.csv.gz", "t.jsonl", "t.feather"):
        check(read_data(str(tmp_path / name), texts=["y"]))


@pytest.mark.parametrize("name", ["t.csv.gz", "t.jsonl", "t.feather"])
def test_damaged_files_are_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"{no table")
    with pytest.raises(BadTable, match=name):
        read_data(str(tmp_path / name))


def test_excel_is_read_or_says_what_is_missing(tmp_path):
    path = tmp_path / "t.xlsx"
    try:
        import openpyxl
    except ImportError:
        path.write_bytes(b"")
        with pytest.raises(ImportError, match="pip install openpyxl, or save the sheet as CSV"):
            read_data(str(path))
        return
    book = openpyxl.Workbook()
    for row in [list(FRAME), [1.5, 1, "a"], [2.0, 2, "b"], [None, 3, None]]:
        book.active.append(row)
    book.save(path)
    check(read_data(str(path), texts=["y"]))
