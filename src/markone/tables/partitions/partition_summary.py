"""Summary of partitions: quantiles, missing values, and whether these depend on the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.findings.class_checks import missing_dependence
from markone.tables.findings.evidence import TableFinding
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.quantiles import exact_quantiles
from markone.tables.partitions.sources import as_partitions

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
PARTITION_GAP_ADVICE = (
    "Find out why cells are empty before using the score; compare with a fit without the column."
)


@dataclass(frozen=True)
class PartitionSummary:
    """Quantiles and missing values of each column, and findings that question a score.

    Parameters
    ----------
    names : list of str
        The columns of inputs.
    rows : int
        Number of rows of all partitions.
    levels : tuple of float
        Levels of the quantiles.
    quantiles : array (levels, columns)
        As computed by numpy on all rows.
    missing : array (columns,)
        Numbers of missing values.
    classes : dict of str to int
        Number of rows of each class; empty for a numeric target.
    findings : list of TableFinding
        Problems found in the data.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.tables import describe_partitions
    >>> X = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, 7.0]])
    >>> found = describe_partitions([(X[:2], np.array([0, 1])), (X[2:], np.array([1]))])
    >>> found.rows, found.quantiles[2].tolist(), found.missing.tolist()
    (3, [2.0, 6.0], [0, 1])
    """

    names: list[str]
    rows: int
    levels: tuple[float, ...]
    quantiles: Array
    missing: Array
    classes: dict[str, int]
    findings: list[TableFinding] = field(default_factory=list)


def describe_partitions(
    data: Any,
    target: str | None = None,
    *,
    levels: Sequence[float] = LEVELS,
    classes: bool = True,
    client: Any = None,
    threads: int = 1,
) -> PartitionSummary:
    """Compute exact quantiles and missing values of every column by passes over the partitions.

    Parameters
    ----------
    data : str, pathlib.Path, dask.dataframe or list of (X, y)
        A Parquet file, a folder of them, a frame, or the partitions.
    target : str or None, default=None
        The target column of files and frames.
    levels : sequence of float, default=(0, 0.25, 0.5, 0.75, 1)
        Levels of the quantiles, between 0 and 1.
    classes : bool, default=True
        Whether the target holds classes; missing values are then counted per class.
    client : dask.distributed.Client or None, default=None
        Client whose workers load the partitions; None: `threads` of this process.
    threads : int, default=1
        Number of threads without a client.

    Returns
    -------
    PartitionSummary
        The summary of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.tables import describe_partitions
    >>> x = np.arange(101.0)[:, None]
    >>> describe_partitions([(x[:40], x[:40, 0] > 50), (x[40:], x[40:, 0] > 50)]).quantiles[:, 0].tolist()
    [0.0, 25.0, 50.0, 75.0, 100.0]
    """
    parts = as_partitions(data, target)
    if not all(0 <= level <= 1 for level in levels):
        raise ValueError(f"levels = {list(levels)} of quantiles must lie between 0 and 1.")
    sums = PartitionSums(parts, client, threads)
    try:
        found, given = exact_quantiles(sums, levels)
        rows, gaps = _count_missing_by_class(sums, classes)
    finally:
        sums.close()
    P = sum(rows.values())
    findings = _find_missing_dependence(parts.names, rows, gaps) if classes else []
    known = {str(label): n for label, n in rows.items()} if classes else {}
    return PartitionSummary(parts.names, P, tuple(levels), found, P - given, known, findings)


def _missing_per_class(X: Array, y: Array, classified: bool) -> list[tuple[Any, int, Array]]:
    """Label, rows and missing values per column of each class in this partition."""
    absent = np.isnan(X)
    if not classified:
        return [("", len(y), absent.sum(axis=0))]
    return [
        (label, int((y == label).sum()), absent[y == label].sum(axis=0)) for label in np.unique(y).tolist()
    ]


def _count_missing_by_class(sums: PartitionSums, classified: bool) -> tuple[dict[Any, int], dict[Any, Array]]:
    rows: dict[Any, int] = {}
    gaps: dict[Any, Array] = {}
    for part in sums.map_partitions(_missing_per_class, classified):
        for label, n, absent in part:
            rows[label] = rows.get(label, 0) + n
            gaps[label] = gaps.get(label, 0) + absent
    return rows, gaps


def _find_missing_dependence(
    names: list[str], rows: dict[Any, int], gaps: dict[Any, Array]
) -> list[TableFinding]:
    """Test whether missing values depend on the class, as for tables in memory."""
    total, inside = np.array(list(rows.values())), np.stack(list(gaps.values()))
    columns = np.flatnonzero(inside.sum(axis=0))
    if not len(columns) or len(rows) < 2:
        return []
    labels = [str(label) for label in rows]
    absent = inside[:, columns]
    names = [names[k] for k in columns]
    return list(missing_dependence(names, labels, absent, total, advice=PARTITION_GAP_ADVICE))
