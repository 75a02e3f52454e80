"""Stratified folds; copies and groups stay together, and with --time training rows precede test rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.row_checks import copy_groups
from markone.tables.plan.column_kinds import SECONDS_PER_DAY, count_days, find_date_form
from markone.tables.plan.target import CLASSIFICATION, REGRESSION
from markone.tables.request import ColumnOptions, Folds

# Unambiguous date formats, which may be mixed: ISO, and 31.3.2024.
UNAMBIGUOUS_DATES = ("iso", "%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")


@dataclass(frozen=True)
class RowTies:
    """Rows of one group are never on both sides of a split; with times, later rows are tested."""

    groups: Array | None = None
    times: Array | None = None

    def only(self, rows: Array) -> RowTies:
        return RowTies(*(None if part is None else part[rows] for part in (self.groups, self.times)))


def join_groups(one: Array | None, other: Array | None) -> Array | None:
    """Join two groupings: rows together in either are together in the result."""
    if one is None or other is None:
        return one if other is None else other
    _, a = np.unique(one, return_inverse=True)
    _, b = np.unique(other, return_inverse=True)
    edges = (np.ones(len(a)), (a.ravel(), a.max() + 1 + b.ravel()))
    size = int(a.max() + b.max()) + 2
    _, part = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    return np.asarray(part)[a.ravel()]


def row_groups(table: CellTable, name: str) -> Array:
    """Group number of each row by the value of the column; each missing value is its own group."""
    column = table.columns[name].as_text()
    alone = len(column.levels) + np.arange(len(column))
    return np.where(column.missing, alone, column.codes)


def row_times(table: CellTable, name: str) -> Array:
    """Times as numbers; raise if a row has none."""
    column = table.columns[name]
    for row in np.flatnonzero(column.missing)[:1]:
        raise BadTable(
            f"--time {name!r} is missing in row {table.rows[row]}: the order of the row is "
            "unknown. Fill it in, or leave the row out."
        )
    if isinstance(column, NumberColumn):
        return column.values
    if not len(column.wrong):
        return column.numbers
    form = find_date_form(list(column.count_texts()))
    forms = (form,) if form else UNAMBIGUOUS_DATES
    seconds = np.array([parse_time(text, forms) for text in column.levels])[column.codes]
    for row in np.flatnonzero(np.isnan(seconds))[:1]:
        raise BadTable(
            f"--time {name!r}: row {table.rows[row]} has {column.text(row)!r}, which is neither a number "
            "nor an unambiguous date. Write dates as 2024-03-31 or 31.3.2024."
        )
    return seconds


def parse_time(text: str, forms: Sequence[str] = UNAMBIGUOUS_DATES) -> float:
    """Seconds since 1970, in UTC without a time zone; NaN if not a date in any of these forms."""
    days = [found for form in forms if (found := count_days(text, form)) is not None]
    return SECONDS_PER_DAY * days[0] if days else float("nan")


Split = tuple[Array, Array]
NO_TIES = RowTies()
N_INNER_FOLDS = 5
EARLY_MESSAGE = (
    "By time, the rows before fold {} contain no {{!r}}, so it cannot be learned by then. Use fewer folds "
    "(--cv 2), or leave the early rows out."
)


def find_row_ties(table: CellTable, options: ColumnOptions, seen: Evidence) -> RowTies:
    """Constraints on the splits: copies always; group and time if given."""
    groups = row_groups(table, options.group) if options.group else None
    times = row_times(table, options.time) if options.time else None
    together = copy_groups(seen.X, seen.copies, list(seen.plan.inputs_by_column.values()))
    return RowTies(join_groups(groups, together), times)


def make_splits(
    how: Folds, y: Array, seed: int, ties: RowTies = NO_TIES, task: str = CLASSIFICATION
) -> list[Split]:
    """(train, test) of each fold, repeat after repeat; stratified by class."""
    if task == REGRESSION:
        return _number_splits(how, len(y), seed, ties)
    _check_class_sizes(y, how)
    if ties.times is not None:
        return _splits_by_time(how, y, ties)
    X = np.zeros((len(y), 1))
    if ties.groups is None:
        every = RepeatedStratifiedKFold(n_splits=how.folds or 2, n_repeats=how.repeats, random_state=seed)
        return list((LeaveOneOut() if how.leave_one_out else every).split(X, y))
    _check_groups(how, y, ties.groups)
    if how.leave_one_out:
        return list(LeaveOneGroupOut().split(X, y, ties.groups))
    found = []
    for repeat in range(how.repeats):
        folds = StratifiedGroupKFold(how.folds, shuffle=True, random_state=(seed + repeat) % 2**32)
        found += list(folds.split(X, y, ties.groups))
    for train, _ in found:
        _check_classes(
            y, train, "With groups kept together, a training part has no {!r}. Use fewer folds (--cv 3)."
        )
    return [(train, test) for train, test in found if len(test)]


def lower_folds(how: Folds, y: Array, ties: RowTies, task: str, notes: list[str]) -> Folds:
    """As many folds as the rarest class has rows or groups, if these are fewer; append a note."""
    if how.leave_one_out:
        return how
    if ties.times is not None:
        most, what = len(np.unique(ties.times)) - 1, "there are too few different times"
    else:
        groups = np.arange(len(y)) if ties.groups is None else ties.groups
        labels = np.zeros(len(y)) if task == REGRESSION else y
        sizes = {str(label): len(np.unique(groups[labels == label])) for label in np.unique(labels)}
        rarest = min(sizes, key=lambda label: sizes[label])
        most = sizes[rarest]
        rows = "rows" if task == REGRESSION else f"rows of class {rarest!r}"
        what = f"there are {most} different {rows}"
        if ties.groups is not None:
            what = f"the {rows} belong to {most} groups (copies of a row are one)"
    if most >= how.folds or most < 2:
        return how
    notes.append(f"{most} folds instead of {how.folds}: {what} (--strict stops here).")
    return Folds(how.repeats, most)


def _check_class_sizes(y: Array, how: Folds) -> None:
    labels, counts = np.unique(y, return_counts=True)
    rarest, rows = labels[counts.argmin()], int(counts.min())
    if rows < 2:
        raise BadTable(
            f"Class {str(rarest)!r} has one row: nothing is left to test on. Remove it or merge classes."
        )
    if not how.leave_one_out and rows < how.folds:
        raise BadTable(
            f"Class {str(rarest)!r} has {rows} rows, fewer than the {how.folds} folds. "
            f"Use --cv {how.repeats}x{rows}, --cv loo, or merge classes."
        )


def _number_splits(how: Folds, P: int, seed: int, ties: RowTies) -> list[Split]:
    """Folds of a regression, which keep copies and groups together; in order of time if given."""
    if ties.times is not None:
        return _splits_by_time(how, np.zeros(P), ties)
    groups = np.arange(P) if ties.groups is None else ties.groups
    groups = np.unique(groups, return_inverse=True)[1].reshape(-1)
    different = int(groups.max()) + 1
    if how.leave_one_out:
        return list(LeaveOneGroupOut().split(groups, groups=groups))
    if different < how.folds:
        raise BadTable(
            f"The table has {different} groups of rows (copies of a row are one), fewer than the "
            f"{how.folds} folds. Use --cv {how.repeats}x{max(2, different)}, or --cv loo."
        )
    found: list[Split] = []
    for repeat in range(how.repeats):
        rng = np.random.RandomState([seed, repeat])
        if different == P:
            found += KFold(how.folds, shuffle=True, random_state=rng).split(groups)
        else:
            found += GroupKFold(how.folds, shuffle=True, random_state=rng).split(groups, groups=groups)
    return found


def _check_groups(how: Folds, y: Array, groups: Array) -> None:
    """Raise if a class is in fewer groups than folds: some training part would lack it."""
    for label in np.unique(y):
        n = len(np.unique(groups[y == label]))
        if n < 2:
            raise BadTable(
                f"All rows of class {str(label)!r} belong to one group: they cannot be both in training "
                "and test. Collect the class in more groups."
            )
        if n < how.folds:
            raise BadTable(
                f"The rows of class {str(label)!r} belong to {n} groups (copies of a row are one), fewer "
                f"than the {how.folds} folds. Use --cv {how.repeats}x{n}."
            )


def _splits_by_time(how: Folds, y: Array, ties: RowTies) -> list[Split]:
    """Split the times into k + 1 parts of about equal size; each but the first is tested by all before it."""
    assert ties.times is not None
    if how.leave_one_out:
        raise BadTable(
            "--time has no leave-one-out: most training rows would be later than the test row. Use --cv 5."
        )
    moments, part_of = np.unique(ties.times, return_inverse=True)
    if len(moments) <= how.folds:
        raise BadTable(
            f"--time has {len(moments)} different times, too few for {how.folds} folds. Use --cv "
            f"{max(len(moments) - 1, 2)}."
        )
    ends = np.cumsum(np.bincount(part_of.ravel()))
    # The part of a time by the middle of its rows: rows of equal time are never separated.
    middle = ends - 0.5 * np.diff(ends, prepend=0)
    part = np.minimum((middle / len(y) * (how.folds + 1)).astype(int), how.folds)[part_of.ravel()]
    found = []
    for k in range(1, how.folds + 1):
        train, test = np.flatnonzero(part < k), np.flatnonzero(part == k)
        if ties.groups is not None:
            train = train[~np.isin(ties.groups[train], ties.groups[test])]
        if len(test):
            _check_classes(y, train, EARLY_MESSAGE.format(k))
            found.append((train, test))
    return found


def _check_classes(y: Array, train: Array, sentence: str) -> None:
    absent = sorted({str(label) for label in y} - {str(label) for label in y[train]})
    if absent:
        raise BadTable(sentence.format(absent[0]))


def inner_splits(folds: int, y: Array, seed: int, ties: RowTies = NO_TIES) -> list[Split] | None:
    """Inner folds of a training part; None if a class is too small."""
    groups = ties.groups
    labels = np.unique(y)
    sizes = [len(np.unique(groups[y == a])) if groups is not None else int((y == a).sum()) for a in labels]
    n = min(folds, min(sizes))
    if n < 2:
        return None
    X = np.zeros((len(y), 1))
    if groups is not None:
        found = StratifiedGroupKFold(n, shuffle=True, random_state=seed).split(X, y, groups)
        whole = [(a, b) for a, b in found if len(b) and len(np.unique(y[a])) == len(labels)]
        return whole or None
    return list(StratifiedKFold(n, shuffle=True, random_state=seed).split(X, y))


def search_splits(y: Array, seed: int, ties: RowTies, task: str) -> list[Split]:
    """Inner folds of a grid search, which keep groups together; raise if a training part is too small."""
    if task != REGRESSION:
        folds = inner_splits(N_INNER_FOLDS, y, seed, ties)
        if folds is None:
            raise BadTable(
                "A class has one row in a training part: the search has nothing to test on. Leave out --grid."
            )
        return folds
    different = len(y) if ties.groups is None else len(np.unique(ties.groups))
    if different < 2:
        raise BadTable("A training part is one group of rows: the search has no rows to test on.")
    kind = KFold if ties.groups is None else GroupKFold
    folds = kind(min(N_INNER_FOLDS, different), shuffle=True, random_state=seed)
    return list(folds.split(np.zeros((len(y), 1)), groups=ties.groups))
