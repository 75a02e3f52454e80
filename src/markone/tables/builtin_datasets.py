"""The sets that markone knows by name, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np

from markone.data.dialect import BadTable
from markone.data.loading import NAMES, load
from markone.tables.parquet import written
from markone.tables.source import Raw


def read(name: str) -> Raw:
    if name.lower().replace("-", "_") not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        advice = f"Did you mean {near[0]!r}?" if near else f"The known sets are {', '.join(NAMES)}."
        raise BadTable(f"There is no file {name}, and no set of that name. {advice}")
    table = load(name.lower().replace("-", "_"))
    X = np.asarray(table.X)
    columns = {
        feature: [written(v) for v in X[:, k].tolist()] for k, feature in enumerate(table.feature_names)
    }
    target = next(t for t in ("class", "target", "target class") if t not in columns)
    columns[target] = labels(table.y, table.class_names)
    return Raw(name, columns, [*table.notes], target=target)


def labels(y: np.ndarray, class_names: Iterable[str] | None) -> list[str]:
    """Names of the classes, where y holds their numbers."""
    names = [str(name) for name in class_names or ()]
    if names and np.asarray(y).dtype.kind in "iu" and np.max(y) < len(names):
        return [names[k] for k in y]
    return [str(value) for value in y]
