"""A Parquet file as a table."""

import pyarrow as pa
import pyarrow.parquet as pq

from markone.data import load

pq.write_table(pa.table({"a": [1.0, 2.0, 3.0], "kind": ["x", "y", "x"]}), "small.parquet")
assert load("small.parquet", target="kind").X.shape == (3, 1)
