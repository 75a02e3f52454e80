"""Leaks: columns that determine the class, alone or a few together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import chi2_contingency
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from markone.data.reading.columns import NumberColumn
from markone.numerics.arrays import Array
from markone.numerics.text import shorten_list
from markone.tables.findings.evidence import LEVEL, Evidence, TableFinding
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.plan.column_plan import PlannedColumn

# Mean recall of one column from which on it determines the class.
MIN_RECALL = 0.98


def find_leaks(seen: Evidence) -> Iterator[TableFinding]:
    """Columns that determine the class: alone, far better than all others, or few of two values together."""
    leaks = []
    for column in seen.plan.used_columns:
        levels, given = _bin_column(seen, column)
        codes = seen.class_codes[seen.sampled_rows][given]
        if len(codes) < 0.5 * len(seen.sampled_rows) or len(np.unique(codes)) < len(seen.classes):
            continue
        counts = np.zeros((int(levels.max()) + 1, len(seen.classes)))
        np.add.at(counts, (levels, codes), 1)
        right = _mean_recall(counts)
        if right >= MIN_RECALL and not _leak_expected_by_chance(
            counts, seen, isinstance(seen.get_column(column.name), NumberColumn)
        ):
            leaks.append(column.name)
            yield _leak_finding(column.name, counts, right, seen)
    if not leaks:
        yield from _find_dominant_columns(seen)


# Cross-validated mean recall of one column from which on it is compared with that of all others: a leak if
# their errors are so many times more.
MIN_ALONE, ERROR_RATIO = 0.88, 3.0
# Rows of the cross-validation, and rows of the rarest class that it needs.
MOST_TREE_ROWS, FEWEST_OF_CLASS = 2000, 15


def _find_dominant_columns(seen: Evidence) -> Iterator[TableFinding]:
    """Leaks by cross-validated trees: of one column beside all others, and of the columns of two values."""
    X, y = seen.X, np.unique(seen.kept_y, return_inverse=True)[1].ravel()
    rows = _sample_classes(y)
    X, y = X[rows], y[rows]
    if np.bincount(y).min() < FEWEST_OF_CLASS:
        return
    owners, K = seen.plan.inputs_by_column, int(y.max()) + 1
    with np.errstate(over="ignore"):
        X = np.clip(X, -1e30, 1e30).astype(np.float32)
    for name, inputs in owners.items():
        alone = _tree_recall(X[:, inputs], y, K + len(inputs))
        if alone < MIN_ALONE:
            continue
        rest = np.delete(X, inputs, axis=1)
        others = _forest_recall(rest, y) if rest.shape[1] else 1 / K
        if 1 - others >= ERROR_RATIO * (1 - alone):
            yield _dominant_finding(name, alone, others)
            return
    binary = [k for k in range(X.shape[1]) if len(np.unique(X[~np.isnan(X[:, k]), k])) == 2]
    if len(binary) > 1 and _tree_recall(X[:, binary], y, 2 * K) >= MIN_RECALL:
        names = [name for name, inputs in owners.items() if set(inputs) & set(binary)]
        yield _few_columns_finding(_columns_of_tree(X[:, binary], y, 2 * K, seen, binary) or names)


def _sample_classes(y: Array) -> Array:
    """At most MOST_TREE_ROWS rows, as many of each class as it has, up to its equal share."""
    share, rng = MOST_TREE_ROWS // (int(y.max()) + 1), np.random.default_rng(0)
    rows = [rng.permutation(np.flatnonzero(y == k))[:share] for k in range(int(y.max()) + 1)]
    return np.sort(np.concatenate(rows))


def _tree_recall(X: Array, y: Array, leaves: int) -> float:
    """Cross-validated mean recall of a small tree; that of its training rows if already too low."""
    tree = DecisionTreeClassifier(
        max_leaf_nodes=leaves, min_samples_leaf=5, class_weight="balanced", random_state=0
    )
    known = float(balanced_accuracy_score(y, tree.fit(X, y).predict(X)))
    return known if known < MIN_ALONE else _cross_validated_recall(tree, X, y)


def _forest_recall(X: Array, y: Array) -> float:
    forest = RandomForestClassifier(60, min_samples_leaf=3, class_weight="balanced", random_state=0)
    return _cross_validated_recall(forest, X, y)


def _cross_validated_recall(model: Any, X: Array, y: Array) -> float:
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    return float(balanced_accuracy_score(y, cross_val_predict(model, X, y, cv=folds)))


def _columns_of_tree(X: Array, y: Array, leaves: int, seen: Evidence, inputs: list[int]) -> list[str]:
    """Names of the columns that a small tree of all rows uses."""
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, class_weight="balanced", random_state=0).fit(X, y)
    used = {inputs[k] for k in np.flatnonzero(tree.feature_importances_)}
    return [name for name, mine in seen.plan.inputs_by_column.items() if used & set(mine)]


def _dominant_finding(name: str, alone: float, others: float) -> TableFinding:
    return TableFinding(
        "one column decides",
        f"Column {name!r} alone determines the class of {100 * alone:.1f} % of the rows (mean over classes, "
        f"cross-validated); all other columns together {100 * others:.1f} %.",
        "If it is known only together with the target, it is a leak: leave it out with --drop "
        f"{shell_quote(name)}.",
        doubts_score=True,
        columns=(name,),
        numbers={"named_right": alone, "others": others},
    )


def _few_columns_finding(names: list[str]) -> TableFinding:
    return TableFinding(
        "few columns decide",
        f"Columns of two values, {shorten_list(names, 6)}, together determine the class: are they the target "
        "in other words?",
        f"Then leave them out with {' '.join(f'--drop {shell_quote(name)}' for name in names[:6])}.",
        doubts_score=True,
        columns=tuple(names),
    )


def _bin_column(seen: Evidence, column: PlannedColumn) -> tuple[Array, Array]:
    """Return the bin (level or interval) of each sampled row with a value, and the mask of these rows."""
    cells = seen.get_column(column.name).only(seen.sampled_rows)
    given = ~cells.missing
    if not isinstance(cells, NumberColumn):
        _, levels = np.unique(cells.codes[given], return_inverse=True)
        return levels.ravel() if len(levels) else np.zeros(0, int), given
    codes = seen.class_codes[seen.sampled_rows][given]
    # The tree computes in float32: ranks fit, numbers beyond 1e38 overflow.
    ranks = np.unique(cells.values[given], return_inverse=True)[1].ravel()
    if not _has_few_class_changes(ranks, codes):
        return np.zeros(len(codes), int), given
    # One interval more than classes: "in the middle" is then found as well as "above".
    tree = DecisionTreeClassifier(
        max_leaf_nodes=int(codes.max()) + 2, min_samples_leaf=2, class_weight="balanced", random_state=0
    )
    rows = ranks.reshape(-1, 1).astype(np.float32)
    leaves = tree.fit(rows, codes).apply(rows)
    return np.unique(leaves, return_inverse=True)[1].ravel(), given


def _has_few_class_changes(ranks: Array, codes: Array) -> bool:
    """Return whether few intervals can separate the classes: each misplaced row changes the class twice.

    A cheap test that is false for nearly every column.
    """
    if len(np.unique(codes)) < 2:
        return False
    K, ordered = int(codes.max()) + 1, codes[np.lexsort((codes, ranks))]
    return int((np.diff(ordered) != 0).sum()) <= K + 2 * (1 - MIN_RECALL) * K * len(codes)


def _mean_recall(counts: Array) -> float:
    """Mean recall of predicting the most frequent class of each bin; bins of one row do not count."""
    big = counts[counts.sum(axis=1) > 1]
    if not len(big):
        return 0.0
    winner = np.zeros_like(big)
    winner[np.arange(len(big)), big.argmax(axis=1)] = big.max(axis=1)
    return float(np.mean(winner.sum(axis=0) / counts.sum(axis=0)))


def _leak_expected_by_chance(counts: Array, seen: Evidence, cut: bool) -> bool:
    """Return whether chance explains it, corrected for the number of columns and cut positions."""
    L, K = counts.shape
    if L < 2 or K < 2:
        return True
    tries = float(len(seen.plan.used_columns)) * (float(counts.sum()) ** (L - 1) if cut else 1.0)
    return float(chi2_contingency(counts, correction=False).pvalue) * tries >= LEVEL


def _leak_finding(name: str, counts: Array, right: float, seen: Evidence) -> TableFinding:
    """Build the finding: a copy of the target, a group, or a column that determines the class."""
    pure = bool(((counts > 0).sum(axis=1) == 1).all())
    L, K = counts.shape
    column = seen.get_column(name)
    texts = not isinstance(column, NumberColumn)
    named = f"the class of {100 * right:.1f} % of the rows (mean over classes)"
    if pure and L == K and (texts or len(np.unique(column.numbers[~column.missing])) == K):
        kind, advice = "target in other words", f"Leave it out with --drop {shell_quote(name)}."
        sentence = (
            f"Column {name!r} is the target {seen.plan.target!r} in other words: each of its {L} values "
            "belongs to one class and each class to one value."
        )
    elif texts and L > 2 * K:
        kind = "group in one class"
        sentence = f"The {L} values of {name!r} determine {named}: nearly each belongs to one class."
        advice = (
            "If it identifies repeated measurements, keep its rows together with --group "
            f"{shell_quote(name)}."
        )
    else:
        kind, sentence = "one column decides", f"Column {name!r} alone determines {named}."
        advice = (
            "If it is known only together with the target, it is a leak: leave it out with --drop "
            f"{shell_quote(name)}."
        )
    numbers = {"named_right": right, "parts": float(L)}
    return TableFinding(kind, sentence, advice, doubts_score=True, columns=(name,), numbers=numbers)
