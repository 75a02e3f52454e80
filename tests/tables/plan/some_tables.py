"""Small tables for the tests of the plan."""

from markone.data.reading.arrow import column_from_arrow, import_pyarrow
from markone.data.reading.cell_table import CellTable
from markone.tables.plan.build_plan import make_plan
from markone.tables.request import ColumnOptions

K = ["no", "yes"] * 6


NUMBERS = [3.5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]


def table(**columns):
    """As it is read from a file: columns of numbers as numbers, the target `k` as it is written."""
    found = {name: as_column(values) for name, values in columns.items()}
    return CellTable("t.csv", {**found, "k": as_column(K, as_text=True)})


def as_column(values, as_text=False):
    return column_from_arrow(import_pyarrow().array([str(v) for v in values]), as_text=as_text)


def planned(raw, **options):
    return make_plan(raw, ColumnOptions("k", **options))


HOLES = [3.5, "", 4, "?", 5, 9, 2, 6, 5, 3, 5, 8]


HOLED = {"a": HOLES, "colour": ["red", "green", ""] * 4, "b": NUMBERS}
