"""Summary sentences of a classification: score, baseline, doubts."""

from __future__ import annotations

from math import isfinite

from markone.numerics.text import format_count
from markone.tables.fit_result import FitResult
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.row_intervals import ClassScores, scores_per_class
from markone.tables.scoring import Interval

# Share of the positive class below which accuracy is uninformative, and the classes are weighted in training.
RARE_SHARE = 0.25


def class_headline(fitted: FitResult) -> str:
    classes = scores_per_class(fitted.judge, fitted.validation.confusion)
    if _is_positive_rare(fitted):
        text = _rare_class_headline(fitted, next(c for c in classes if c.label == fitted.judge.positive))
    else:
        text = _accuracy_headline(fitted) + (
            _worst_class_sentence(classes) if len(classes) > 2 or _is_unbalanced(fitted) else ""
        )
    reasons = len(fitted.doubts)
    # Part of the headline, so that the score is never quoted without it.
    doubt = f" This may be misleading, for {format_count(reasons, 'reason')} given below." if reasons else ""
    apart = (
        fitted.apart.headline_part("accuracy", fitted.validation.estimates["accuracy"])
        if fitted.apart
        else ""
    )
    return text + _cost_sentence(fitted) + _rejection_warning(fitted) + apart + doubt


def _rejection_warning(fitted: FitResult) -> str:
    if fitted.rejection is None or fitted.rejection.answered:
        return ""
    return f" No row can be answered so that {100 * fitted.rejection.asked:g} % of the answers are right."


def _is_positive_rare(fitted: FitResult) -> bool:
    """Return whether the positive one of two classes is rare."""
    counts = fitted.class_counts
    return len(counts) == 2 and counts[fitted.judge.positive] < RARE_SHARE * sum(counts.values())


def _is_unbalanced(fitted: FitResult) -> bool:
    counts = fitted.class_counts.values()
    return min(counts) < RARE_SHARE * sum(counts)


def _accuracy_headline(fitted: FitResult) -> str:
    best, base = fitted.validation.estimates["accuracy"], fitted.baseline["accuracy"]
    low = best.low if isfinite(best.low) else best.mean
    verdict = "better than" if low > base else "not clearly better than"
    return (
        f"Of rows it has not seen, {fitted.model} gets {100 * best.mean:.1f} % "
        f"right{_format_percent_range(best)}, "
        f"{verdict} the {100 * base:.1f} % of always predicting the most frequent class."
    )


def _format_percent(found: Interval) -> str:
    return f"{100 * found.mean:.1f} %{_format_percent_range(found)}"


def _format_percent_range(found: Interval) -> str:
    return f" (95 %: {100 * found.low:.1f} to {100 * found.high:.1f})" if isfinite(found.low) else ""


def _rare_class_headline(fitted: FitResult, positive: ClassScores) -> str:
    """Headline with recall and precision of the rare class: accuracy is high without finding any."""
    other = next(label for label in fitted.judge.classes if label != positive.label)
    trusted = (
        f"of the rows it predicts as such, {_format_percent(positive.precision)} are"
        if positive.called > 0
        else "it predicts it for no row"
    )
    accuracy, base = fitted.validation.estimates["accuracy"].mean, fitted.baseline["accuracy"]
    return (
        f"Of the {positive.rows:.0f} rows of {positive.label!r} it has not seen, {fitted.model} finds "
        f"{_format_percent(positive.recall)}; {trusted}. Always predicting {other!r} finds none and is "
        f"{100 * base:.1f} % right; {fitted.model} is {100 * accuracy:.1f} % right."
        f"{_rare_class_advice(fitted, positive, other)}"
    )


def _rare_class_advice(fitted: FitResult, positive: ClassScores, other: str) -> str:
    """Advice if at least half of the rare class is missed."""
    if positive.recall.mean >= 0.5 or fitted.judge.prices is not None:
        return ""
    params = fitted.pipeline["model"].get_params(deep=False)
    ways = []
    if "class_weight" in params and params["class_weight"] is None:
        ways.append("--set class_weight=balanced")
    if any(fold.scores is not None for fold in fitted.validation.folds):
        price = max(2, round((sum(fitted.class_counts.values()) - positive.rows) / positive.rows))
        ways.append(f"--cost {shell_quote(f'{positive.label}:{other}={price}')}")
    return f" To miss fewer, weight them more: {' or '.join(ways)}." if ways else ""


def _worst_class_sentence(classes: list[ClassScores]) -> str:
    """Sentence on the class with the lowest recall."""
    least = min(classes, key=lambda c: c.recall.mean if isfinite(c.recall.mean) else 2.0)
    mistaken = f", most others are predicted as {least.mistaken_for!r}" if least.mistaken_for else ""
    if least.recall.mean == 1.0:
        return " Every row of every class is found."
    found = f"{_format_percent(least.recall)} of its {least.rows:.0f} rows are found"
    return f" Worst is {least.label!r}: {found}{mistaken}."


def _cost_sentence(fitted: FitResult) -> str:
    if fitted.judge.prices is None:
        return ""
    cost, base = fitted.validation.estimates["cost"], fitted.baseline["cost"]
    interval = f" (95 %: {cost.low:.3g} to {cost.high:.3g})" if isfinite(cost.low) else ""
    constant = f"the cheapest constant prediction costs {base:.3g}"
    return f" At the given costs a row costs {cost.mean:.3g}{interval}; {constant}."
