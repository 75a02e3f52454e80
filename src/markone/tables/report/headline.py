"""The sentences to remember: how good, of what, against what, and why it may be untrue."""

from __future__ import annotations

from math import isfinite

from markone.numerics.text import count
from markone.tables.fit_result import FitResult
from markone.tables.inspect.per_class import ClassScores, per_class
from markone.tables.plan.kinds import quoted
from markone.tables.scores import Interval

# The share of the positive class below which accuracy says little.
RARE = 0.2


def headline(fitted: FitResult) -> str:
    classes = per_class(fitted.judge, fitted.validation.confusion)
    if is_rare(fitted):
        said = rare(fitted, next(c for c in classes if c.label == fitted.judge.positive))
    else:
        said = overall(fitted) + (worst(classes) if len(classes) > 2 or is_unbalanced(fitted) else "")
    reasons = len(doubts(fitted))
    # In the same sentence, wherever it is repeated: a number without its doubt is soon all that is left.
    doubt = f" This may be untrue, for {count(reasons, 'reason')} given below." if reasons else ""
    return said + paid(fitted) + doubt


def is_rare(fitted: FitResult) -> bool:
    """Whether the positive one of two classes is the rare one."""
    counts = fitted.class_counts
    return len(counts) == 2 and counts[fitted.judge.positive] < RARE * sum(counts.values())


def is_unbalanced(fitted: FitResult) -> bool:
    counts = fitted.class_counts.values()
    return min(counts) < RARE * sum(counts)


def overall(fitted: FitResult) -> str:
    best, base = fitted.validation.estimates["accuracy"], fitted.baseline["accuracy"]
    low = best.low if isfinite(best.low) else best.mean
    verdict = "better than" if low > base else "not clearly better than"
    return (
        f"Of rows it has not seen, {fitted.model} gets {100 * best.mean:.1f} % right{between(best)}, "
        f"{verdict} the {100 * base:.1f} % of always saying the most frequent class."
    )


def percent(found: Interval) -> str:
    return f"{100 * found.mean:.1f} %{between(found)}"


def between(found: Interval) -> str:
    return f" (95 %: {100 * found.low:.1f} to {100 * found.high:.1f})" if isfinite(found.low) else ""


def rare(fitted: FitResult, positive: ClassScores) -> str:
    """Recall and precision of the rare class come first: accuracy is high without finding any."""
    other = next(label for label in fitted.judge.classes if label != positive.label)
    trusted = (
        f"of the rows it calls so, {percent(positive.precision)} are"
        if positive.called > 0
        else "it calls no row so"
    )
    accuracy, base = fitted.validation.estimates["accuracy"].mean, fitted.baseline["accuracy"]
    return (
        f"Of the {positive.rows:.0f} rows of {positive.label!r} it has not seen, {fitted.model} finds "
        f"{percent(positive.recall)}; {trusted}. Always saying {other!r} finds none and is {100 * base:.1f} "
        f"% right; {fitted.model} is {100 * accuracy:.1f} % right.{remedy(fitted, positive, other)}"
    )


def remedy(fitted: FitResult, positive: ClassScores, other: str) -> str:
    """Where half of the rare class is missed or more: what makes its errors count."""
    if positive.recall.mean >= 0.5 or fitted.judge.prices is not None:
        return ""
    params = fitted.pipeline["model"].get_params(deep=False)
    ways = []
    if "class_weight" in params and params["class_weight"] is None:
        ways.append("--set class_weight=balanced")
    if any(fold.scores is not None for fold in fitted.validation.folds):
        price = max(2, round((sum(fitted.class_counts.values()) - positive.rows) / positive.rows))
        ways.append(f"--cost {quoted(f'{positive.label}:{other}={price}')}")
    return f" To miss fewer, let them count more: {' or '.join(ways)}." if ways else ""


def worst(classes: list[ClassScores]) -> str:
    """The class that is found least, by name."""
    least = min(classes, key=lambda c: c.recall.mean if isfinite(c.recall.mean) else 2.0)
    mistaken = f", most others being called {least.mistaken_for!r}" if least.mistaken_for else ""
    if least.recall.mean == 1.0:
        return " Every row of every class is found."
    found = f"{percent(least.recall)} of its {least.rows:.0f} rows are found"
    return f" Worst is {least.label!r}: {found}{mistaken}."


def paid(fitted: FitResult) -> str:
    if fitted.judge.prices is None:
        return ""
    cost, base = fitted.validation.estimates["cost"], fitted.baseline["cost"]
    interval = f" (95 %: {cost.low:.3g} to {cost.high:.3g})" if isfinite(cost.low) else ""
    constant = f"the cheapest constant answer costs {base:.3g}"
    return f" At your prices a row costs {cost.mean:.3g}{interval}; {constant}."


def doubts(fitted: FitResult) -> list[str]:
    """Why the score may be untrue, to be read with it."""
    return [str(finding) for finding in fitted.findings if finding.doubts_score]
