"""Parquet files give the same cells as text."""

import pyarrow
import pyarrow.parquet
import pytest
from written_tables import plain, read, texts, written

from markone.errors import BadTable


def test_parquet_gives_the_same_texts(tmp_path):
    columns = {"a": [0.5, None], "flag": [True, False], "n": [1, 2], "k": ["yes", "no"]}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    raw = read(str(tmp_path / "t.parquet"))
    assert texts(raw) == {"a": ["0.5", ""], "flag": ["true", "false"], "n": ["1", "2"], "k": ["yes", "no"]}
    with pytest.raises(BadTable, match="is not a Parquet file"):
        read(written(tmp_path, plain(), "wrong.parquet"))
    nested = pyarrow.table({"a": [[1, 2]], "k": ["x"]})
    pyarrow.parquet.write_table(nested, tmp_path / "nested.parquet")
    with pytest.raises(BadTable, match="nothing nested"):
        read(str(tmp_path / "nested.parquet"))
