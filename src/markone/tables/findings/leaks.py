"""Single columns that determine the class: a leak, a copy of the target, or the one relevant column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import chi2_contingency
from sklearn.tree import DecisionTreeClassifier

from markone.data.reading.columns import NumberColumn
from markone.numerics.arrays import Array
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.significance import LEVEL
from markone.tables.plan.column_plan import PlannedColumn
from markone.tables.plan.kinds import quoted

# Mean recall of one column from which on it determines the class.
DECIDES = 0.98


def find(seen: Evidence) -> Iterator[TableFinding]:
    for column in seen.plan.used:
        levels, given = parts(seen, column)
        codes = seen.codes[seen.sample][given]
        if len(codes) < 0.5 * len(seen.sample) or len(np.unique(codes)) < len(seen.classes):
            continue
        counts = np.zeros((int(levels.max()) + 1, len(seen.classes)))
        np.add.at(counts, (levels, codes), 1)
        right = named_right(counts)
        if right >= DECIDES and not by_chance(
            counts, seen, isinstance(seen.column(column.name), NumberColumn)
        ):
            yield of_column(column.name, counts, right, seen)


def parts(seen: Evidence, column: PlannedColumn) -> tuple[Array, Array]:
    """Return the bin (level or interval) of each sampled row with a value, and the mask of these rows."""
    cells = seen.column(column.name).only(seen.sample)
    given = ~cells.missing
    if not isinstance(cells, NumberColumn):
        _, levels = np.unique(cells.codes[given], return_inverse=True)
        return levels.ravel() if len(levels) else np.zeros(0, int), given
    codes = seen.codes[seen.sample][given]
    # The tree computes in float32: ranks fit, numbers beyond 1e38 overflow.
    ranks = np.unique(cells.values[given], return_inverse=True)[1].ravel()
    if not few_changes(ranks, codes):
        return np.zeros(len(codes), int), given
    # One interval more than classes: "in the middle" is then found as well as "above".
    tree = DecisionTreeClassifier(
        max_leaf_nodes=int(codes.max()) + 2, min_samples_leaf=2, class_weight="balanced", random_state=0
    )
    rows = ranks.reshape(-1, 1).astype(np.float32)
    leaves = tree.fit(rows, codes).apply(rows)
    return np.unique(leaves, return_inverse=True)[1].ravel(), given


def few_changes(ranks: Array, codes: Array) -> bool:
    """Return whether few intervals can separate the classes: each misplaced row changes the class twice.

    A cheap test that is false for nearly every column.
    """
    if len(np.unique(codes)) < 2:
        return False
    K, ordered = int(codes.max()) + 1, codes[np.lexsort((codes, ranks))]
    return int((np.diff(ordered) != 0).sum()) <= K + 2 * (1 - DECIDES) * K * len(codes)


def named_right(counts: Array) -> float:
    """Mean recall of predicting the most frequent class of each bin; bins of one row do not count."""
    big = counts[counts.sum(axis=1) > 1]
    if not len(big):
        return 0.0
    winner = np.zeros_like(big)
    winner[np.arange(len(big)), big.argmax(axis=1)] = big.max(axis=1)
    return float(np.mean(winner.sum(axis=0) / counts.sum(axis=0)))


def by_chance(counts: Array, seen: Evidence, cut: bool) -> bool:
    """Return whether chance explains it, corrected for the number of columns and cut positions."""
    L, K = counts.shape
    if L < 2 or K < 2:
        return True
    tries = float(len(seen.plan.used)) * (float(counts.sum()) ** (L - 1) if cut else 1.0)
    return float(chi2_contingency(counts, correction=False).pvalue) * tries >= LEVEL


def of_column(name: str, counts: Array, right: float, seen: Evidence) -> TableFinding:
    """Build the finding: a copy of the target, a group, or a column that determines the class."""
    pure = bool(((counts > 0).sum(axis=1) == 1).all())
    L, K = counts.shape
    texts = not isinstance(seen.column(name), NumberColumn)
    named = f"the class of {100 * right:.1f} % of the rows (mean over classes)"
    if pure and L == K and (texts or distinct(seen, name) == K):
        kind, advice = "target in other words", f"Leave it out with --drop {quoted(name)}."
        sentence = (
            f"Column {name!r} is the target {seen.plan.target!r} in other words: each of its {L} values "
            "belongs to one class and each class to one value."
        )
    elif texts and L > 2 * K:
        kind = "group in one class"
        sentence = f"The {L} values of {name!r} determine {named}: nearly each belongs to one class."
        advice = (
            f"If it identifies repeated measurements, keep its rows together with --group {quoted(name)}."
        )
    else:
        kind, sentence = "one column decides", f"Column {name!r} alone determines {named}."
        advice = (
            "If it is known only together with the target, it is a leak: leave it out with --drop "
            f"{quoted(name)}."
        )
    numbers = {"named_right": right, "parts": float(L)}
    return TableFinding(kind, sentence, advice, doubts_score=True, columns=(name,), numbers=numbers)


def distinct(seen: Evidence, name: str) -> int:
    column = seen.column(name)
    return len(np.unique(column.values[~column.missing])) if isinstance(column, NumberColumn) else 0
