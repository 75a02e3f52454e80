"""Summary of partitions: quantiles, missing values, and whether these depend on the class."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.findings.evidence import TableFinding
from markone.tables.findings.target_checks import missing_dependence
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.sources import as_partitions

# Leading bits that one pass determines, and the number of values up to which a bracket is fetched.
BITS, MAX_FETCHED = 12, 20_000
SIGN = np.uint64(1 << 63)

Rank = tuple[int, int]  # column, index into its sorted values


def _ordered_codes(values: Array) -> Array:
    """The bits of the given numbers as integers of the same order."""
    bits = (values[~np.isnan(values)] + 0.0).view(np.uint64)  # -0.0 is 0.0
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def _number_of_code(code: np.uint64) -> float:
    return float((code ^ SIGN if code & SIGN else ~code).view(np.float64))


@dataclass(frozen=True)
class Bracket:
    """Values of a column whose codes begin with `prefix`, of `bits` bits; how many are below and inside."""

    column: int
    prefix: int
    bits: int
    below: int
    inside: int

    @property
    def next_bits(self) -> int:
        return min(BITS, 64 - self.bits)

    def codes_in(self, X: Array) -> Array:
        codes = _ordered_codes(X[:, self.column])
        return codes[codes >> np.uint64(64 - self.bits) == self.prefix] if self.bits else codes


def _count_values(X: Array, y: Array) -> tuple[Array]:
    return ((~np.isnan(X)).sum(axis=0),)


def _count_next_bits(X: Array, y: Array, brackets: list[Bracket]) -> list[tuple[Array, int, int]]:
    """For each bracket the number of values by the next bits, and the least and the largest code."""
    found = []
    for bracket in brackets:
        codes, new = bracket.codes_in(X), bracket.next_bits
        digits = (codes >> np.uint64(64 - bracket.bits - new)) - np.uint64(bracket.prefix << new)
        ends = int(codes.min(initial=np.uint64(2**64 - 1))), int(codes.max(initial=np.uint64(0)))
        found.append((np.bincount(digits.astype(np.int64), minlength=2**new), *ends))
    return found


def _bracket_codes(X: Array, y: Array, brackets: list[Bracket]) -> list[Array]:
    return [bracket.codes_in(X) for bracket in brackets]


def exact_quantiles(sums: PartitionSums, levels: Sequence[float]) -> tuple[Array, Array]:
    """Return quantiles (levels, columns), as numpy on all rows, and the number of values of each column."""
    (given,) = sums.total(_count_values)
    places = {(c, k): level * (n - 1) for c, n in enumerate(given) if n for k, level in enumerate(levels)}
    wanted = {(c, int(f(place))) for (c, _), place in places.items() for f in (np.floor, np.ceil)}
    found = _values_at_ranks(sums, {(c, k): Bracket(c, 0, 0, 0, int(given[c])) for c, k in sorted(wanted)})
    made = np.full((len(levels), len(given)), np.nan)
    for (c, k), place in places.items():
        a, b = found[c, int(np.floor(place))], found[c, int(np.ceil(place))]
        # Interpolate without overflow of the difference.
        share = place - np.floor(place)
        made[k, c] = a if a == b else a * (1 - share) + b * share
    return made, given


def _values_at_ranks(sums: PartitionSums, brackets: dict[Rank, Bracket]) -> dict[Rank, float]:
    """Return the value at each rank: narrow its bracket until it has few values, or one."""
    found: dict[Rank, float] = {}
    while brackets:
        for key in [key for key, b in brackets.items() if b.bits == 64]:
            found[key] = _number_of_code(np.uint64(brackets.pop(key).prefix))
        few = [key for key, b in brackets.items() if b.inside <= MAX_FETCHED]
        found |= _fetch_small_brackets(sums, {key: brackets.pop(key) for key in few}) if few else {}
        brackets = _narrow_brackets(sums, brackets) if brackets else {}
    return found


def _fetch_small_brackets(sums: PartitionSums, few: dict[Rank, Bracket]) -> dict[Rank, float]:
    unique = list(dict.fromkeys(few.values()))
    parts = zip(*sums.map_partitions(_bracket_codes, unique), strict=True)
    codes = {bracket: np.sort(np.concatenate(own)) for bracket, own in zip(unique, parts, strict=True)}
    return {key: _number_of_code(codes[b][key[1] - b.below]) for key, b in few.items()}


def _narrow_brackets(sums: PartitionSums, brackets: dict[Rank, Bracket]) -> dict[Rank, Bracket]:
    """The part of each bracket that contains its rank; the whole code, if all values are equal."""
    # Many ranks share a bracket (at first all of a column): each bracket is counted once.
    unique = list(dict.fromkeys(brackets.values()))
    parts = zip(*sums.map_partitions(_count_next_bits, unique), strict=True)
    known = {bracket: tuple(zip(*own, strict=True)) for bracket, own in zip(unique, parts, strict=True)}
    found = {}
    for key, b in brackets.items():
        counts, low, high = np.sum(known[b][0], axis=0), min(known[b][1]), max(known[b][2])
        last = np.cumsum(counts)
        part = int(np.searchsorted(last, key[1] - b.below, side="right"))
        inside = int(counts[part])
        prefix, bits = ((b.prefix << b.next_bits) + part, b.bits + b.next_bits) if low < high else (low, 64)
        found[key] = Bracket(b.column, prefix, bits, b.below + int(last[part]) - inside, inside)
    return found


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
