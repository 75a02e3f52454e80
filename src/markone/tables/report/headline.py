"""Headline of a classification, the report of a fit, and its model card."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from markone.numerics.text import format_count, format_number, shorten_list
from markone.show.page import PageTable
from markone.tables.findings.evidence import doubt_sentence
from markone.tables.fit_result import FitResult, FolderResult, RegressionResult
from markone.tables.inspect.row_intervals import ClassScores, scores_per_class
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.plan.column_plan import NUMBER
from markone.tables.report.blocks import Report, Section, make_report
from markone.tables.scoring import Interval

# Share of the positive class below which accuracy is uninformative, and the classes are weighted in training.
RARE_SHARE = 0.25


def class_headline(fitted: FitResult | FolderResult) -> str:
    """Summary sentences of a classification: score, baseline, doubts."""
    classes = scores_per_class(fitted.judge, fitted.validation.confusion)
    rejected = ""
    if fitted.rejection and not fitted.rejection.answered:
        asked = f"{100 * fitted.rejection.asked:g} %"
        rejected = f" No row can be answered so that {asked} of the answers are right."
    if _is_positive_rare(fitted):
        text = _rare_class_headline(fitted, next(c for c in classes if c.label == fitted.judge.positive))
    else:
        text = _accuracy_headline(fitted) + (
            _worst_class_sentence(fitted, classes) if len(classes) > 2 or _is_unbalanced(fitted) else ""
        )
    apart = (
        fitted.apart.headline_part("accuracy", fitted.validation.estimates["accuracy"])
        if fitted.apart
        else ""
    )
    return text + _cost_sentence(fitted) + rejected + apart + doubt_sentence(fitted.findings)


def _is_positive_rare(fitted: FitResult | FolderResult) -> bool:
    """Return whether the positive one of two classes is rare."""
    counts = fitted.class_counts
    return len(counts) == 2 and counts[fitted.judge.positive] < RARE_SHARE * sum(counts.values())


def _is_unbalanced(fitted: FitResult | FolderResult) -> bool:
    counts = fitted.class_counts.values()
    return min(counts) < RARE_SHARE * sum(counts)


def _accuracy_headline(fitted: FitResult | FolderResult) -> str:
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


def _rare_class_headline(fitted: FitResult | FolderResult, positive: ClassScores) -> str:
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


def _rare_class_advice(fitted: FitResult | FolderResult, positive: ClassScores, other: str) -> str:
    """Advice if at least half of the rare class is missed."""
    if positive.recall.mean >= 0.5 or fitted.judge.prices is not None or not fitted.validation.folds:
        return ""
    ways = _weighting_option(fitted)
    if any(fold.scores is not None for fold in fitted.validation.folds):
        price = max(2, round((sum(fitted.class_counts.values()) - positive.rows) / positive.rows))
        ways.append(f"--cost {shell_quote(f'{positive.label}:{other}={price}')}")
    return f" To miss fewer, weight them more: {' or '.join(ways)}." if ways else ""


def _weighting_option(fitted: FitResult | FolderResult) -> list[str]:
    """The options that weight the classes equally; none if the model has no weights, or has them."""
    if isinstance(fitted, FolderResult):
        return []
    params = fitted.pipeline["model"].get_params(deep=False)
    if params.get("class_weight", "none") is not None:
        return []
    # Settings without a model are those of the default model.
    model = f"--model {fitted.model} " if fitted.students else ""
    return [f"{model}--set class_weight=balanced"]


def _worst_class_sentence(fitted: FitResult | FolderResult, classes: list[ClassScores]) -> str:
    """Sentence on the class with the lowest recall, with advice if at least half of it is missed."""
    least = min(classes, key=lambda c: c.recall.mean if isfinite(c.recall.mean) else 2.0)
    mistaken = f", most others are predicted as {least.mistaken_for!r}" if least.mistaken_for else ""
    if least.recall.mean == 1.0:
        return " Every row of every class is found."
    found = f"{_format_percent(least.recall)} of its {least.rows:.0f} rows are found"
    ways = _weighting_option(fitted) if least.recall.mean < 0.5 and fitted.judge.prices is None else []
    advice = f" To miss fewer, give the classes equal weight: {ways[0]}." if ways else ""
    return f" Worst is {least.label!r}: {found}{mistaken}.{advice}"


def _cost_sentence(fitted: FitResult | FolderResult) -> str:
    if fitted.judge.prices is None:
        return ""
    cost, base = fitted.validation.estimates["cost"], fitted.baseline["cost"]
    interval = f" (95 %: {cost.low:.3g} to {cost.high:.3g})" if isfinite(cost.low) else ""
    constant = f"the cheapest constant prediction costs {base:.3g}"
    return f" At the given costs a row costs {cost.mean:.3g}{interval}; {constant}."


def build_fit_report(
    fitted: FitResult | RegressionResult, headline: str, splits: str, sections: list[Section]
) -> Report:
    size = len(fitted.rows), len(fitted.plan.feature_names)
    kind, one = ("", "student") if isinstance(fitted, FitResult) else ("numeric ", "model")
    searches = ", each after a search" if fitted.search else ""
    fits = f"{format_count(len(fitted.validation.folds) + 1, one)}{searches}, {fitted.seconds:.1f} s"
    return make_report(
        fitted.request,
        fitted.model,
        size,
        f"{kind}target {fitted.plan.target!r}",
        fitted.findings,
        [["fits", fits]],
        headline=headline,
        notes=fitted.notes,
        sections=sections,
        card=model_card(fitted, headline, splits),
    )


def model_card(fitted: FitResult | RegressionResult, headline: str, splits: str) -> PageTable:
    rows = [
        ["for", _intended_use(fitted)],
        ["not for", _usage_limits(fitted)],
        ["how good", headline],
        ["judged by", splits],
        [
            "trained on",
            f"{format_count(len(fitted.rows), 'row')} ({_target_range(fitted)}) of {_data_source(fitted)}.",
        ],
        ["inputs", shorten_list([c.name for c in fitted.plan.used_columns], 20)],
        ["ranges", _training_ranges(fitted)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])


def _intended_use(fitted: FitResult | RegressionResult) -> str:
    text = f"Predicting {fitted.plan.target!r} of rows collected like those of the table"
    return (
        f"{text}: {shorten_list(fitted.judge.classes, 12)}." if isinstance(fitted, FitResult) else f"{text}."
    )


def _usage_limits(fitted: FitResult | RegressionResult) -> str:
    options = fitted.request.options
    texts = [
        "Rows from other sites, times or measurement procedures, unless tested there.",
        "Causal statements: weights and relevances describe the prediction only.",
    ]
    if not options.group:
        texts.append("New members of a group (patients, devices) if the table has several rows of each.")
    if not options.time:
        texts.append("The future, if conditions change: the folds ignore time.")
    if fitted.doubts:
        texts.append("Any use before the doubts above are resolved.")
    return " ".join(texts)


def _target_range(fitted: FitResult | RegressionResult) -> str:
    if isinstance(fitted, FitResult):
        return shorten_list([f"{label} {n}" for label, n in fitted.class_counts.items()], 12)
    return f"target {format_number(float(fitted.y.min()))} to {format_number(float(fitted.y.max()))}"


def _data_source(fitted: FitResult | RegressionResult) -> str:
    name = Path(fitted.request.data).name
    if fitted.request.table is not None:
        return "a table in memory"
    return f"{name}, SHA-256 {fitted.data_hash}" if fitted.data_hash else f"the built-in data set {name}"


def _training_ranges(fitted: FitResult | RegressionResult) -> str:
    """Training ranges of the numeric columns."""
    if fitted.training is None:
        return ""
    known = fitted.training.numbers
    names = [c.name for c in fitted.plan.columns_of_kind(NUMBER) if c.name in known]
    return shorten_list([f"{n} {known[n][0]:.4g} to {known[n][-1]:.4g}" for n in names], 20)
