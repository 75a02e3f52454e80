"""Summary of partitions: quantiles, missing values, and whether these depend on the class."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf, nextafter
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.findings.evidence import TableFinding
from markone.tables.findings.target_checks import missing_dependence
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.sources import as_partitions

# Values sampled per bracket and partition, and the largest number of cuts of a bracket.
SHOWN, CUTS = 512, 4096
# Number of values sorted per bracket and partition, evenly spaced: the cuts need not be exact.
MAX_SORTED = 16 * SHOWN
# Brackets with at most this many values are fetched from all partitions.
MAX_FETCHED = 20_000

Rank = tuple[int, int]  # column, index into its sorted values


@dataclass(frozen=True)
class Bracket:
    """[low, high) of a column, with the numbers of values below and inside."""

    column: int
    low: float
    high: float
    below: int
    inside: int

    def of(self, X: Array) -> Array:
        values = X[:, self.column]
        return values[(values >= self.low) & (values < self.high)]


def _column_ranges(X: Array, y: Array) -> tuple[Array, Array, Array]:
    """Number of values, minimum and maximum of each column."""
    given = ~np.isnan(X)
    low = np.where(given, X, np.inf).min(axis=0, initial=np.inf)
    return given.sum(axis=0), low, np.where(given, X, -np.inf).max(axis=0, initial=-np.inf)


def _sample_brackets(X: Array, y: Array, brackets: list[Bracket]) -> list[Array]:
    """Evenly spaced sample of the sorted values of each bracket."""
    found = []
    for bracket in brackets:
        values = bracket.of(X)
        values = np.sort(values[:: -(-len(values) // MAX_SORTED) or 1])
        few = np.linspace(0, len(values) - 1, min(SHOWN, len(values))).astype(int)
        found.append(values[few])
    return found


def _count_between_cuts(X: Array, y: Array, brackets: list[Bracket], cuts: list[Array]) -> list[Array]:
    """Numbers of values of each bracket before the first cut, between the cuts, and after the last one."""
    return [
        np.bincount(np.searchsorted(cut, bracket.of(X), side="right"), minlength=len(cut) + 1)
        for bracket, cut in zip(brackets, cuts, strict=True)
    ]


def _bracket_values(X: Array, y: Array, brackets: list[Bracket]) -> list[Array]:
    return [bracket.of(X) for bracket in brackets]


def exact_quantiles(sums: PartitionSums, levels: Sequence[float]) -> tuple[Array, Array]:
    """Return quantiles (levels, columns), as numpy on all rows, and the number of values of each column."""
    parts = list(sums.map_partitions(_column_ranges))
    given = np.sum([n for n, _, _ in parts], axis=0)
    low, high = np.min([a for _, a, _ in parts], axis=0), np.max([b for _, _, b in parts], axis=0)
    places = {(c, k): level * (n - 1) for c, n in enumerate(given) if n for k, level in enumerate(levels)}
    wanted = {(c, int(f(place))) for (c, _), place in places.items() for f in (np.floor, np.ceil)}
    begin = {
        (c, rank): Bracket(c, low[c], nextafter(high[c], inf), 0, int(given[c])) for c, rank in sorted(wanted)
    }
    found = _values_at_ranks(sums, begin)
    made = np.full((len(levels), len(given)), np.nan)
    for (c, k), place in places.items():
        a, b = found[c, int(np.floor(place))], found[c, int(np.ceil(place))]
        # Interpolate without overflow of the difference.
        share = place - np.floor(place)
        made[k, c] = a if a == b else a * (1 - share) + b * share
    return made, given


def _values_at_ranks(sums: PartitionSums, brackets: dict[Rank, Bracket]) -> dict[Rank, float]:
    """Return the value at each rank."""
    found: dict[Rank, float] = {}
    while brackets:
        single = [key for key, b in brackets.items() if nextafter(b.low, inf) >= b.high]
        found |= {key: brackets.pop(key).low for key in single}
        few = {key: b for key, b in brackets.items() if b.inside <= MAX_FETCHED}
        for key in few:
            del brackets[key]
        if few:
            found |= _fetch_small_brackets(sums, few)
        if brackets:
            brackets = _narrow_brackets(sums, brackets)
    return found


def _fetch_small_brackets(sums: PartitionSums, few: dict[Rank, Bracket]) -> dict[Rank, float]:
    unique = list(dict.fromkeys(few.values()))
    parts = zip(*sums.map_partitions(_bracket_values, unique), strict=True)
    values = {bracket: np.sort(np.concatenate(own)) for bracket, own in zip(unique, parts, strict=True)}
    return {key: float(values[bracket][key[1] - bracket.below]) for key, bracket in few.items()}


def _narrow_brackets(sums: PartitionSums, brackets: dict[Rank, Bracket]) -> dict[Rank, Bracket]:
    """Narrow each bracket to the part between two cuts that contains its rank."""
    # Many ranks share a bracket (at first all of a column): each bracket is processed once.
    unique = list(dict.fromkeys(brackets.values()))
    cuts = [
        _choose_cuts(np.concatenate(own))
        for own in zip(*sums.map_partitions(_sample_brackets, unique), strict=True)
    ]
    counts = [
        np.sum(own, axis=0)
        for own in zip(*sums.map_partitions(_count_between_cuts, unique, cuts), strict=True)
    ]
    known = dict(zip(unique, zip(cuts, counts, strict=True), strict=True))
    found = {}
    for key, b in brackets.items():
        cut, inside = known[b]
        last = np.cumsum(inside)
        part = int(np.searchsorted(last, key[1] - b.below, side="right"))
        edges = np.concatenate([[b.low], cut, [b.high]])
        below = b.below + int(last[part] - inside[part])
        found[key] = Bracket(b.column, float(edges[part]), float(edges[part + 1]), below, int(inside[part]))
    return found


def _choose_cuts(values: Array) -> Array:
    """Cuts at sampled values and just above them, so that a repeated value is its own part."""
    values = np.sort(values)
    some = values[np.linspace(0, len(values) - 1, min(CUTS // 2, len(values))).astype(int)]
    with np.errstate(all="ignore"):
        return np.unique(np.concatenate([some, np.nextafter(some, np.inf)]))


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
    with closing(PartitionSums(parts, client, threads)) as sums:
        found, given = exact_quantiles(sums, levels)
        rows, gaps = _count_missing_by_class(sums, classes)
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
