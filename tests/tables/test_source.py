"""Reading a table: a file, a built-in data set, a sample."""

import numpy as np
import pytest

from markone.errors import BadTable
from markone.tables.source import read_data


def written(tmp_path, content, name="table.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return str(path)


def test_folders_and_names_that_do_not_exist(tmp_path):
    with pytest.raises(BadTable, match="is a folder"):
        read_data(str(tmp_path))
    with pytest.raises(BadTable, match=r"no set of that name. Did you mean 'iris'"):
        read_data("irs")
    with pytest.raises(BadTable, match=r"There is no file nothing.csv.* iris, wine"):
        read_data("nothing.csv")


def test_a_set_by_name_knows_its_target():
    raw = read_data("iris")
    assert (len(raw), raw.target) == (150, "class")
    assert set(raw.columns["class"].texts()) == {"setosa", "versicolor", "virginica"}


def test_large_tables_are_refused_or_sampled(tmp_path):
    path = written(tmp_path, "a,k\n" + "".join(f"{k},{k % 2}\n" for k in range(50)))
    with pytest.raises(
        BadTable, match=r"about 50 rows, more than the 10 .*--rows 20000.*markone.data.chunks"
    ):
        read_data(path, most=10)
    drawn = read_data(path, rows=20, seed=1)
    assert len(drawn) == 20
    assert drawn.rows.tolist() == sorted(drawn.rows)
    assert [int(a) + 1 for a in drawn.columns["a"].texts()] == drawn.rows.tolist()
    assert drawn.notes == ["20 of the 50 rows were drawn at random (seed 1)."]
    assert read_data(path, rows=20, seed=1).rows.tolist() == drawn.rows.tolist()
    assert not np.array_equal(read_data(path, rows=20, seed=2).rows, drawn.rows)
    assert len(read_data(path, rows=500)) == 50
