"""Missing values that depend on the class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.numerics.text import format_count
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.significance import LEVEL, class_dependence_p_value
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
    p = holm_adjusted([class_dependence_p_value(mask, seen.class_codes) for mask in gaps.values()])
    found = [(float(p[k]), name) for k, name in enumerate(gaps) if p[k] < LEVEL]
    if not found:
        return
    least, name = min(found)
    others = f" ({len(found) - 1} more such columns)" if len(found) > 1 else ""
    known, base = accuracy_from_gaps(np.stack(list(gaps.values()), axis=1), seen.class_codes)
    yield TableFinding(
        kind="missing by class",
        sentence=(
            f"Whether {name!r} is missing depends on the class{others}: "
            f"{_format_gap_shares(gaps[name], seen)} (p = "
            f"{least:.1g} after correction for {format_count(len(gaps), 'column')}). From the empty cells "
            f"alone, {100 * known:.1f} % of the rows can be classified correctly; by always predicting the "
            f"most frequent class, {100 * base:.1f} %."
        ),
        advice=GAP_ADVICE.format(shell_quote(name)),
        doubts_score=True,
        columns=tuple(name for _, name in sorted(found)),
        numbers={"p": least, "told_by_gaps": known, "most_frequent": base},
    )


def _format_gap_shares(mask: Array, seen: Evidence) -> str:
    """'in 57 of 100 rows of 'a', in 0 of 100 rows of 'b'': the classes with most and fewest gaps."""
    K = len(seen.classes)
    inside, total = (
        np.bincount(seen.class_codes[mask], minlength=K),
        np.bincount(seen.class_codes, minlength=K),
    )
    order = np.argsort(-inside / total, kind="stable")
    parts = [f"{inside[k]} of {total[k]} rows of {seen.classes[k]!r}" for k in (order[0], order[-1])]
    return f"in {parts[0]}, in {parts[1]}"


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
