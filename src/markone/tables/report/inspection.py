"""Diagnostics of a classification as tables and sentences."""

from __future__ import annotations

from markone.numerics.text import format_number
from markone.show.page import PageTable
from markone.tables.fit_result import FitResult
from markone.tables.inspect.importance import column_importance
from markone.tables.inspect.per_class import ClassScores, scores_per_class
from markone.tables.inspect.reliability import Reliability, compute_reliability
from markone.tables.report.fit_text import format_interval

SHARES = (
    "Intervals of recall and precision: 95 %, Jeffreys, each row counted once; they ignore the "
    "variation of the model with other training rows."
)


def class_score_table(fitted: FitResult) -> PageTable:
    return table_of_classes(scores_per_class(fitted.judge, fitted.validation.confusion))


def table_of_classes(each: list[ClassScores]) -> PageTable:
    """Table of the classes, the lowest recall first."""
    rows = []
    for found in sorted(each, key=lambda c: c.recall.mean):
        recall, precision = format_interval(found.recall), format_interval(found.precision)
        f1 = f"{found.f1:.3f}" if found.f1 == found.f1 else "–"
        rows.append([found.label, f"{found.rows:.0f}", *recall, *precision, f1, found.mistaken_for or "–"])
    head = ["class", "rows", "recall", "95 %", "precision", "95 %", "F1", "mostly mistaken for"]
    return PageTable(head, rows)


def fit_reliability(fitted: FitResult) -> Reliability | None:
    return compute_reliability(fitted.judge, fitted.validation, fitted.y)


def brier_sentence(found: Reliability) -> str:
    mean, between = format_interval(found.brier)
    return (
        f"Brier score {mean} (95 %: {between}), compared with {found.base:.3f} of predicting the class "
        "frequencies; 0 is best."
    )


def reliability_table(found: Reliability) -> PageTable:
    rows = [[f"{b.said:.3f}", *format_interval(b.true), f"{b.rows:.0f}"] for b in found.bins]
    return PageTable(["predicted probability", "observed share", "95 %", "rows"], rows)


def importance_table(fitted: FitResult) -> PageTable:
    found = column_importance(fitted.validation)
    return PageTable(
        ["column", "lost", "95 %"], [[name, *format_interval(each)] for name, each in found.items()]
    )


def misclassified_table(fitted: FitResult) -> PageTable:
    """Misclassified rows, with the smallest change of one column that changes the prediction."""
    rows = []
    for case in fitted.cases:
        change = f"{case.column} {case.instead} instead of {case.value}: {case.then}" if case.column else "–"
        rows.append([str(case.row), case.true, case.called, case.now, change])
    head = [
        "row",
        "class",
        "predicted when left out",
        "predicted now",
        "smallest change for another prediction",
    ]
    return PageTable(head, rows)


def missing_treatment_table(fitted: FitResult) -> PageTable:
    rows = []
    for each in fitted.missing_ways:
        better = ["chosen", ""] if each.way == fitted.plan.missing else ["–", "–"]
        rows.append(
            [
                each.way,
                *format_interval(each.score),
                *(format_interval(each.better) if each.better else better),
            ]
        )
    return PageTable(["way", "balanced accuracy", "95 %", "better than chosen by", "95 %"], rows)


def rejection_sentence(fitted: FitResult) -> str:
    found = fitted.rejection
    if found is None:
        return ""
    if not found.answered:
        asked = f"{100 * found.asked:g} %"
        return f"No threshold makes {asked} of the predictions right: `predict` will reject every row."
    return (
        f"`predict` answers where the certainty is at least {format_number(found.threshold)}: "
        f"{100 * found.answered:.1f} % of the left-out rows, {100 * found.accuracy:.1f} % of them right."
    )
