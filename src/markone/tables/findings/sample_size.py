"""Small classes, and more inputs than rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding

# Rows of a class per fold below which its recall is unreliable.
FEW_IN_A_FOLD = 3


def find_small_samples(seen: Evidence) -> Iterator[TableFinding]:
    if not seen.of_numbers:
        yield from _find_small_class(seen)
    P, N = seen.X.shape
    if N > P:
        fit = "target" if seen.of_numbers else "classes"
        yield TableFinding(
            "more inputs than rows",
            f"There are {N} inputs and {P} rows: some inputs fit the {fit} by chance alone.",
            "Do not select inputs on all rows; relevances and weights vary strongly between folds.",
            numbers={"inputs": float(N), "rows": float(P)},
        )


def _find_small_class(seen: Evidence) -> Iterator[TableFinding]:
    labels, counts = np.unique(seen.kept_y, return_counts=True)
    rare, rows = str(labels[counts.argmin()]), int(counts.min())
    folds = seen.how.folds
    # A class of one row is refused before the first fold.
    if folds and 1 < rows < FEW_IN_A_FOLD * folds:
        yield TableFinding(
            "small class",
            f"Class {rare!r} has {rows} rows, so that each of the {folds} folds tests {rows / folds:.1f} of "
            f"them: one row is {100 / rows:.1f} % of its recall.",
            "Read the scores of this class with their intervals, or collect more of it.",
            columns=(seen.plan.target,),
            numbers={"rows": float(rows)},
        )
