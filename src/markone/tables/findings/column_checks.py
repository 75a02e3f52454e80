"""Checks of the columns: nearly constant, outliers, codes for missing values, spellings, dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np
from scipy.stats import chi2_contingency, ks_2samp, rankdata, spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from markone.data.reading.columns import NumberColumn, format_cell_number
from markone.numerics.arrays import Array
from markone.numerics.text import format_names, format_number, shorten_list
from markone.tables.findings.evidence import (
    LEVEL,
    Evidence,
    TableFinding,
    class_dependence_p_value,
    number_dependence_p_value,
)
from markone.tables.plan.column_kinds import contains_dates, shell_quote
from markone.tables.plan.column_plan import CODED, NUMBER, TEXT

MIN_ROWS = 20
NEARLY_CONSTANT = 0.99
# Quartile distances from the median beyond which a number is an outlier.
OUTLIER_DISTANCE = 10.0


def find_unusual_values(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < MIN_ROWS:
        return
    same = [c.name for c in seen.plan.used_columns if _is_nearly_constant(seen, c.name)]
    if same:
        yield TableFinding(
            "nearly constant",
            f"Nearly constant, one value in 99 % of the rows or more: {shorten_list(same, 6)}.",
            "Such a column carries information in few rows only: check them, or leave it out with --drop.",
            columns=tuple(same),
        )
    codes = [c.name for c in seen.plan.columns_of_kind(NUMBER) if c.name in seen.table.padded]
    if codes:
        yield TableFinding(
            "leading zeros",
            f"Written with leading zeros, like codes, but treated as numbers: {shorten_list(codes, 6)}.",
            "Codes have no order: treat them as categories with --categorical, or drop them with --drop.",
            columns=tuple(codes),
        )
    yield from _find_far_values(
        seen, [c.name for c in seen.plan.columns_of_kind(NUMBER) if c.name not in same]
    )


def _find_far_values(seen: Evidence, names: list[str]) -> Iterator[TableFinding]:
    """Outliers, and codes for missing values among them."""
    outliers: dict[str, str] = {}
    for name in names:
        values = seen.get_column(name).numbers
        far = _find_outliers(values)
        if not len(far):
            continue
        # A code is the minimum or maximum, and most outliers have this value (-999).
        different, times = np.unique(values[far], return_counts=True)
        code = float(different[times.argmax()])
        often = times.max() >= max(3, 0.5 * len(far))
        if often and code in (np.nanmin(values), np.nanmax(values)):
            yield _missing_code_finding(seen, name, code, values == code)
        else:
            where = f"{format_number(float(values[far[0]]), 6)} in row {seen.table.rows[far[0]]}"
            outliers[name] = f"{name!r} ({where}" + (f", {len(far)} in all)" if len(far) > 1 else ")")
    if outliers:
        yield TableFinding(
            "far away",
            f"Values more than {OUTLIER_DISTANCE:g} quartile distances from the median: "
            f"{shorten_list(list(outliers.values()), 4)}.",
            "Check them: one misplaced decimal point distorts the z-scores of the whole column.",
            columns=tuple(outliers),
            numbers={"columns": float(len(outliers))},
        )


def _is_nearly_constant(seen: Evidence, name: str) -> bool:
    cells = seen.get_column(name)
    values = (cells.values if isinstance(cells, NumberColumn) else cells.codes)[~cells.missing]
    if not len(values):
        return False
    # A value in more than half of the rows is the median.
    often = int((values == np.partition(values, len(values) // 2)[len(values) // 2]).sum())
    return NEARLY_CONSTANT * len(values) <= often < len(values)


def _find_outliers(values: Array) -> Array:
    """Indices of outliers by quartile distance; none if half of the values are equal."""
    if np.isnan(values).all():
        return np.zeros(0, int)
    low, middle, high = np.nanpercentile(values, [25, 50, 75], method="nearest")
    # In halves: the difference of 1e308 and -1e308 overflows.
    width = high / 2 - low / 2
    if not width > 0:
        return np.zeros(0, int)
    with np.errstate(over="ignore"):
        return np.flatnonzero(np.abs(values / 2 - middle / 2) / width > OUTLIER_DISTANCE)


def _missing_code_finding(seen: Evidence, name: str, code: float, mask: Array) -> TableFinding:
    if seen.of_numbers:
        p, where = number_dependence_p_value(mask, seen.y), "where the target is large, or small, more often"
    else:
        p, where = class_dependence_p_value(mask, seen.class_codes), "more often in one class"
    class_too = f", and {where} than expected by chance (p = {p:.1g})" if p < LEVEL else ""
    return TableFinding(
        "code for missing",
        f"Column {name!r} is {format_cell_number(code)} in {int(mask.sum())} rows, far from all other "
        f"values{class_too}: a code for a missing value?",
        "If so, leave those cells empty and choose with --missing.",
        p < LEVEL,
        (name,),
        {"p": p, "rows": float(mask.sum())},
    )


def find_spelling_variants(seen: Evidence) -> Iterator[TableFinding]:
    labels = [] if seen.of_numbers else [seen.plan.target]
    for name in [*labels, *(c.name for c in seen.plan.columns_of_kind(TEXT, CODED))]:
        for words in group_spellings(list(seen.get_column(name).as_text().count_texts())):
            target = name == seen.plan.target
            what = "classes" if target else "categories"
            yield TableFinding(
                "spelling",
                f"{format_names(words)} of {name!r} differ in spelling only, and are {len(words)} {what}.",
                "Spell them alike if they mean the same.",
                target,
                (name,),
            )
    for name, column in seen.table.columns.items():
        planned = next((c for c in seen.plan.columns if c.name == name), None)
        if planned is None or planned.identity:
            continue
        if planned.notation.get("kind") == "date" or contains_dates(column):
            yield TableFinding(
                "dates",
                f"Column {name!r} holds dates.",
                "If the model is to predict later rows, train on earlier and test on later ones: --time "
                f"{shell_quote(name)}.",
                columns=(name,),
            )


def group_spellings(words: list[str]) -> list[list[str]]:
    """Groups of texts that are equal up to case, blanks, hyphens and Unicode normalisation."""
    groups: dict[str, list[str]] = {}
    for word in words:
        key = re.sub(r"[\s_-]+", " ", unicodedata.normalize("NFKC", word)).strip().casefold()
        groups.setdefault(key, []).append(word)
    return [group for group in groups.values() if len(group) > 1]


# Rows on each side of a change; share of pairs (before, after) in the same order; least factor of two units.
FEWEST_ROWS, SAME_ORDER, LEAST_FACTOR = 20, 0.9, 1.3
# Distance of the two distributions after division by the factor, and rank correlation with the row number on
# each side, from which on it is no other unit.
OTHER_SHAPE, TREND = 0.2, 0.3
# Rows of the forests, and least difference of their accuracy.
MOST_ROWS, LEAST_LOSS = 1000, 0.1


def find_unit_changes(seen: Evidence) -> Iterator[TableFinding]:
    """Columns whose values after some row are those before, times a constant."""
    for column in seen.plan.columns_of_kind(NUMBER):
        values = seen.get_column(column.name).numbers
        known = np.flatnonzero(np.isfinite(values))
        change = unit_change(values[known])
        if change is None:
            continue
        first, factor = known[change[0]], change[1]
        if _target_changes(seen, first):
            continue
        row = int(seen.table.rows[first])
        yield TableFinding(
            "unit changes",
            f"From row {row} on, the values of {column.name!r} are {factor:.3g} times those before, with the "
            "same distribution: perhaps another unit or instrument.",
            f"Convert them to one unit, or leave the column out: --drop {shell_quote(column.name)}.",
            doubts_score=True,
            columns=(column.name,),
            numbers={"row": float(row), "factor": factor},
        )


def _target_changes(seen: Evidence, first: int) -> bool:
    """Whether the target changes at this row, too: then the rows are other cases, not other units."""
    if seen.of_numbers:
        return bool(ks_2samp(seen.y[:first], seen.y[first:]).pvalue < LEVEL)
    K = len(seen.classes)
    counts = [np.bincount(part, minlength=K) for part in np.split(seen.class_codes, [first])]
    return bool(chi2_contingency(counts).pvalue < LEVEL)


def unit_change(values: Array) -> tuple[int, float] | None:
    """First index of the other unit, and the factor; None if there is no such change."""
    P = len(values)
    if P < 2 * FEWEST_ROWS or not ((values > 0).all() or (values < 0).all()):
        return None
    ranks = rankdata(values)
    before = np.arange(1, P)
    # Mann and Whitney's statistic of each place as a share of pairs.
    share = (np.cumsum(ranks)[:-1] - before * (before + 1) / 2) / (before * (P - before))
    inside = slice(FEWEST_ROWS - 1, P - FEWEST_ROWS)
    # The place where the statistic is most standard deviations from the half of equal distributions.
    far = np.abs(share - 0.5) * np.sqrt(before * (P - before))
    at = int(far[inside].argmax()) + FEWEST_ROWS
    one, two = values[:at], values[at:]
    factor = float(np.median(two) / np.median(one))
    if max(share[at - 1], 1 - share[at - 1]) < SAME_ORDER or max(factor, 1 / factor) < LEAST_FACTOR:
        return None
    distance = ks_2samp(one, two / factor).statistic
    # The largest distance of two samples of one distribution is 1.36 of its scale at 5 %.
    limit = max(OTHER_SHAPE, 1.36 * float(np.sqrt(P / (at * (P - at)))))
    if len(np.unique(values)) < FEWEST_ROWS or distance > limit:
        return None
    # A column that rises with the rows is no change of unit.
    if any(abs(spearmanr(np.arange(len(part)), part).statistic) > TREND for part in (one, two)):
        return None
    return at, factor


def find_rule_changes(seen: Evidence) -> Iterator[TableFinding]:
    """Halves of the table that do not predict each other as well as themselves."""
    y = np.unique(seen.kept_y, return_inverse=True)[1].ravel()
    rows = np.arange(len(y)) if len(y) <= MOST_ROWS else np.linspace(0, len(y) - 1, MOST_ROWS).astype(int)
    X, y = np.nan_to_num(seen.X[rows]), y[rows]
    half = np.arange(len(y)) < len(y) // 2
    counts = np.array([np.bincount(y[part], minlength=int(y.max()) + 1) for part in (half, ~half)])
    # Where the classes themselves change, see `find_order_effects`.
    if counts.min() < FEWEST_ROWS or chi2_contingency(counts).pvalue < LEVEL:
        return
    own, other = np.zeros(len(y), bool), np.zeros(len(y), bool)
    forest = RandomForestClassifier(30, min_samples_leaf=3, random_state=0)
    for train, test in ((half, ~half), (~half, half)):
        folds = StratifiedKFold(4, shuffle=True, random_state=0)
        own[test] = cross_val_predict(forest, X[test], y[test], cv=folds) == y[test]
        other[test] = forest.fit(X[train], y[train]).predict(X[test]) == y[test]
    lost = float(own.mean() - other.mean())
    spread = float(np.std(own.astype(float) - other)) / np.sqrt(len(y))
    if lost < LEAST_LOSS or lost < 4 * spread:
        return
    yield TableFinding(
        "rule changes",
        "The first and the second half of the rows follow different rules: a forest predicts "
        f"{100 * own.mean():.0f} % of a half by its own other rows, {100 * other.mean():.0f} % by the other "
        "half. New rows may follow neither.",
        "If the rows are in the order of time, use --time with the column of the date.",
        doubts_score=True,
        numbers={"within": float(own.mean()), "between": float(other.mean())},
    )
