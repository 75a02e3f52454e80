"""Exact quantiles of every column by passes over the partitions: a bracket around each, narrowed by counts.

Brackets are cut at sampled values, not between their ends: an outlier of 1e300 or a column of mostly zeros
takes no more passes than any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nextafter

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.partitions.partition_sums import PartitionSums

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
        made[k, c] = _interpolate_values(a, b, place - np.floor(place))
    return made, given


def _interpolate_values(a: float, b: float, share: float) -> float:
    """Interpolate without overflow of the difference."""
    return a if a == b else a * (1 - share) + b * share


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
