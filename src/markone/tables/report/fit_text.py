"""Tables and sentences of a classification, for the terminal and the report."""

from __future__ import annotations

from collections import Counter
from math import isfinite

import numpy as np

from markone.numerics.text import format_count, format_number, format_rounded
from markone.show.page import PageTable
from markone.tables.fit_result import FitResult
from markone.tables.request import FitRequest, Folds
from markone.tables.row_intervals import AT_LEAST
from markone.tables.scores import NAMES, POSTERIOR, RESAMPLED, Interval


def format_interval(found: Interval) -> list[str]:
    if not isfinite(found.mean):
        return ["–", "–"]
    if not isfinite(found.low):
        return [f"{found.mean:.3f}", "–"]
    mean, low, high = format_rounded(
        [found.mean, found.low, found.high], max(found.high - found.low, 2e-3) / 2
    )
    return [mean, f"{low} to {high}"]


def score_table(fitted: FitResult) -> PageTable:
    rows = []
    for name, found in fitted.validation.estimates.items():
        rows.append([_measure_name(fitted, name), *format_interval(found), f"{fitted.baseline[name]:.3f}"])
    return PageTable(["measure", "left-out rows", "95 % interval", "most frequent class"], rows)


def _measure_name(fitted: FitResult, name: str) -> str:
    if name in ("f1", "auc"):
        many = {"f1": "mean over classes", "auc": "mean, one against rest"}[name]
        return f"{NAMES[name]} ({fitted.judge.positive if len(fitted.judge.classes) == 2 else many})"
    return NAMES[name]


def score_footnotes(fitted: FitResult) -> list[str]:
    how = fitted.validation.how
    texts = [f"Cross-validation: {describe_folds(fitted)}"]
    texts.append(POSTERIOR if how.leave_one_out else f"{RESAMPLED} {AT_LEAST}")
    if all(fold.scores is None for fold in fitted.validation.folds):
        texts.append("There is no AUC: this model gives labels, but no scores.")
    lacking = 0 if how.leave_one_out else _count_one_sided_folds(fitted)
    if lacking:
        texts.append(
            f"In {lacking} of {format_count(len(fitted.validation.folds), 'fold')} some "
            "class is not tested: there "
            "is no AUC, and F1 is 0 where the class has no row. Recall and precision of each class pool all "
            "folds."
        )
    return texts


def _count_one_sided_folds(fitted: FitResult) -> int:
    """Number of folds in which some class has no row."""
    K = len(fitted.judge.classes)
    return sum(len(np.unique(fitted.y[fold.test])) < K for fold in fitted.validation.folds)


def describe_folds(fitted: FitResult) -> str:
    return describe_splits(fitted.validation.how, fitted.request, ", stratified")


def describe_splits(how: Folds, asked: FitRequest, stratified: str = "") -> str:
    """Description of the splits."""
    options = asked.options
    together = f", rows of one {options.group!r} together" if options.group else ""
    if options.time:
        return (
            f"{how.folds} folds in the order of {options.time!r}, each tested by the rows before "
            f"it{together}. The intervals assume exchangeable folds, which folds in time are not."
        )
    if how.leave_one_out:
        return f"leave-one-{'group-' if options.group else ''}out{together}."
    return f"{how}{stratified}, seed {asked.seed}{together}."


def confusion_table(fitted: FitResult) -> PageTable:
    """Rows of each true class, the mean over repeats."""
    classes, counts = fitted.judge.classes, fitted.validation.confusion
    rows = []
    for label, line in zip(classes, counts, strict=True):
        rows.append([label, *(f"{n:.1f}".removesuffix(".0") for n in line), f"{line.sum():.0f}"])
    return PageTable(["true \\ predicted", *classes, "rows"], rows)


def search_sentence(fitted: FitResult) -> str:
    """Parameters chosen by the search, in the folds and for all rows."""
    if not fitted.search:
        return ""
    picks = Counter(_format_chosen_settings(fold.chosen) for fold in fitted.validation.folds)
    each = "; ".join(f"{pick} in {format_count(n, 'fold')}" for pick, n in picks.most_common(8))
    last = _format_chosen_settings(fitted.chosen)
    return f"Chosen by inner folds of each training part: {each}. For the student of all rows: {last}."


def _format_chosen_settings(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} = {format_number(value)}" for name, value in settings.items())


def grid_table(fitted: FitResult) -> PageTable:
    tried, mean, sd = (fitted.search[key] for key in ("tried", "mean", "sd"))
    rows = [
        [*(format_number(v) for v in point.values()), f"{m:.4f}", f"{s:.4f}"]
        for point, m, s in zip(tried, mean, sd, strict=True)
    ]
    return PageTable([*tried[0], "balanced accuracy", "deviation"], rows)


def input_table(fitted: FitResult) -> PageTable:
    """Table of weights or relevances, the largest first."""
    bars = fitted.summary.bars
    if bars is None:
        return PageTable([], [])
    head = [line or "relevance" for line in bars.lines]
    columns = np.asarray(bars.values).T
    rows = [[n, *(format_number(float(v)) for v in c)] for n, c in zip(bars.features, columns, strict=True)]
    if bars.low is not None and bars.high is not None and len(head) == 1:
        ranges = zip(bars.low[0], bars.high[0], strict=True)
        rows = [
            [*row, f"{format_number(float(a), 3)} to {format_number(float(b), 3)}"]
            for row, (a, b) in zip(rows, ranges, strict=True)
        ]
        head.append("95 % of the folds")
    return PageTable(["input", *head], rows)


def binary_problem_table(fitted: FitResult) -> PageTable:
    """Table of the binary problems."""
    facts = fitted.summary.problems
    head = list(dict.fromkeys(key for known in facts.values() for key in known))
    rows = [
        [name.removesuffix(" against the rest"), *(known.get(key, "–") for key in head)]
        for name, known in facts.items()
    ]
    return PageTable(["class against the rest", *head], rows)


def prototype_table(fitted: FitResult) -> PageTable:
    if fitted.summary.prototypes is None:
        return PageTable([], [])
    labels, values = fitted.summary.prototypes
    rows = [
        [label, *(format_number(float(v)) for v in line)] for label, line in zip(labels, values, strict=True)
    ]
    header = ["class", *fitted.plan.feature_names]
    if len(header) > len(rows):
        # A long table is easier to read than a wide one.
        header, *rows = (list(column) for column in zip(header, *rows, strict=True))
    return PageTable(header, rows)


def settings_table(fitted: FitResult) -> PageTable:
    found = fitted.pipeline["model"].get_params(deep=False)
    return PageTable(["", ""], [[name, format_number(value)] for name, value in found.items()])


def misclassified_sentence(fitted: FitResult, most: int = 30) -> str:
    """Sentence on the rows misclassified in every repeat."""
    validation = fitted.validation
    rows = always_misclassified(fitted)
    if not rows:
        return ""
    times = "when left out" if validation.how.repeats == 1 else f"in all {validation.how.repeats} repeats"
    shown = ", ".join(map(str, rows[:most])) + (", ..." if len(rows) > most else "")
    return f"Wrong {times}: {format_count(len(rows), 'row')} ({shown}), counted from 1 under the header."


def always_misclassified(fitted: FitResult) -> list[int]:
    validation = fitted.validation
    wrong = (validation.wrong == validation.tested) & (validation.tested > 0)
    return [fitted.rows[k] for k in np.flatnonzero(wrong)]
