"""Missing values that depend on the class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.numerics.text import format_count
from markone.tables.findings.evidence import LEVEL, Evidence, TableFinding, class_count_p_value
from markone.tables.plan.column_kinds import shell_quote

GAP_ADVICE = (
    "The model may use the gaps instead of the values, and will fail where gaps arise differently. "
    "Find out why cells are empty; compare with a fit without the column (--drop {})."
)


def find_missing_by_class(seen: Evidence) -> Iterator[TableFinding]:
    gaps = {c.name: seen.get_column(c.name).missing for c in seen.plan.used_columns}
    gaps = {name: mask for name, mask in gaps.items() if mask.any()}
    if not gaps:
        return
    K = len(seen.classes)
    inside = np.stack([np.bincount(seen.class_codes[mask], minlength=K) for mask in gaps.values()], axis=1)
    total = np.bincount(seen.class_codes, minlength=K)
    known, base = accuracy_from_gaps(np.stack(list(gaps.values()), axis=1), seen.class_codes)
    yield from missing_dependence(
        list(gaps),
        seen.classes,
        inside,
        total,
        f" From the empty cells alone, {100 * known:.1f} % of the rows can be classified correctly; by "
        f"always predicting the most frequent class, {100 * base:.1f} %.",
        {"told_by_gaps": known, "most_frequent": base},
    )


def missing_dependence(
    names: list[str],
    classes: list[str],
    inside: Array,
    total: Array,
    more: str = "",
    numbers: Mapping[str, float] = MappingProxyType({}),
    advice: str = GAP_ADVICE,
) -> Iterator[TableFinding]:
    """Whether missing values (`inside`, classes x columns, of `total` rows) depend on the class, by Holm."""
    p = np.array(holm_adjusted([class_count_p_value(gaps, total) for gaps in inside.T]))
    found = sorted((float(p[k]), names[k], k) for k in range(len(names)) if p[k] < LEVEL)
    if not found:
        return
    least, name, column = found[0]
    others = f" ({len(found) - 1} more such columns)" if len(found) > 1 else ""
    order = np.argsort(-inside[:, column] / total, kind="stable")
    shares = [f"in {inside[k, column]} of {total[k]} rows of {classes[k]!r}" for k in (order[0], order[-1])]
    yield TableFinding(
        kind="missing by class",
        sentence=f"Whether {name!r} is missing depends on the class{others}: {', '.join(shares)} (p = "
        f"{least:.1g} after correction for {format_count(len(names), 'column')}).{more}",
        advice=advice.format(shell_quote(name)),
        doubts_score=True,
        columns=tuple(name for _, name, _ in found),
        numbers={"p": least, **numbers},
    )


def accuracy_from_gaps(gaps: Array, codes: Array) -> tuple[float, float]:
    """Leave-one-out accuracy of predicting the class from the pattern of gaps, and that of a constant."""
    _, pattern = np.unique(gaps, axis=0, return_inverse=True)
    return _leave_one_out_accuracy(pattern.ravel(), codes), float(np.bincount(codes).max() / len(codes))


def _leave_one_out_accuracy(level: Array, codes: Array) -> float:
    """Share of rows whose class is the most frequent one among the other rows of their level."""
    counts = np.zeros((int(level.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (level, codes), 1)
    others = counts[level]
    others[np.arange(len(codes)), codes] -= 1
    best = others.max(axis=1)
    mine = others[np.arange(len(codes)), codes]
    ties = (others == best[:, None]).sum(axis=1)
    # Ties are guesses; a level with one row counts as wrong.
    return float(np.mean(np.where((mine == best) & (best > 0), 1 / ties, 0.0)))
