"""Permutation importance and model card of a regression."""

from __future__ import annotations

from markone.numerics.arrays import Array
from markone.numerics.text import count, number, rounded, shortened
from markone.show.page import PageTable
from markone.tables.inspect.importance import largest_first
from markone.tables.regression.fitting import RegressionResult
from markone.tables.regression.scores import over_folds
from markone.tables.regression.sentences import headline
from markone.tables.regression.validation import NumberValidation
from markone.tables.report.model_card import limits, ranges, source
from markone.tables.report.sentences import parted
from markone.tables.scores import Interval

LOST = "Increase of the root mean square error when a column is permuted"


def importance(validation: NumberValidation) -> dict[str, Interval]:
    """Increase of the error per permuted column; empty if none was permuted."""
    shuffled = [fold for fold in validation.folds if fold.needed]
    sizes = [(len(fold.test), fold.train_size) for fold in shuffled]
    return largest_first([fold.needed for fold in shuffled], sizes, error_gained)


def error_gained(losses: list[float], tests: list[int], used: Array) -> Interval:
    return over_folds([{"gain": loss} for loss in losses], tests, used)["gain"]


def columns(fitted: RegressionResult) -> PageTable:
    rows = []
    for name, found in importance(fitted.validation).items():
        mean, low, high = rounded([found.mean, found.low, found.high], (found.high - found.low) / 2 or 1.0)
        rows.append([name, mean, f"{low} to {high}"])
    return PageTable(["column", "increase", "95 %"], rows)


def model_card(fitted: RegressionResult) -> PageTable:
    least, most = number(float(fitted.y.min())), number(float(fitted.y.max()))
    where = source(fitted.request.data, fitted.data_hash)
    rows = [
        ["for", f"Predicting {fitted.plan.target!r} of rows collected like those of the table."],
        ["not for", limits(fitted.request.options, bool(fitted.doubts))],
        ["how good", headline(fitted)],
        ["judged by", parted(fitted.validation.how, fitted.request)],
        ["trained on", f"{count(len(fitted.rows), 'row')} (target {least} to {most}) of {where}."],
        ["inputs", shortened([c.name for c in fitted.plan.used], 20)],
        ["ranges", ranges(fitted.plan, fitted.training)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])
