"""Report of a classification."""

from __future__ import annotations

from collections import Counter

import numpy as np

from markone.evaluation import AveragedRoc, averaged_roc
from markone.numerics.arrays import Array
from markone.numerics.text import format_count, format_number
from markone.show.page import PageTable
from markone.tables.fit_result import FitResult, FolderResult
from markone.tables.inspect.row_intervals import AT_LEAST, ClassScores, scores_per_class
from markone.tables.inspect.validation_diagnostics import CONFIDENCE
from markone.tables.report.blocks import (
    COLOURED_CURVES,
    NAMED_CURVES,
    PAGE,
    Block,
    Items,
    Report,
    ReportPicture,
    Section,
    Table,
    Text,
)
from markone.tables.report.formats import (
    describe_splits,
    format_interval,
    importance_picture,
    inputs_picture,
    more_rows_section,
    settings_table,
    students_section,
    table_of_prototypes,
)
from markone.tables.report.headline import build_fit_report, class_headline
from markone.tables.scoring import MEASURE_NAMES, POSTERIOR, RESAMPLED

SHARES = (
    "Intervals of recall and precision: 95 %, Jeffreys, each row counted once; they ignore the "
    "variation of the model with other training rows."
)
PLATT = (
    "`predict --proba` gives probabilities, by a logistic regression of the class on the scores of left-out "
    "rows (Platt scaling). Here the rows of each fold, with the scores of the others; smaller is better. A "
    "label need not be the most probable class where the classes are weighted in training."
)
# Above this number of classes the confusion is not printed, and drawn below the other figures.
MAX_PRINTED_CLASSES, MAX_SIDE_BY_SIDE = 10, 5
# Largest number of misclassified rows listed.
MAX_LISTED = 30


def build_class_report(fitted: FitResult) -> Report:
    return build_fit_report(fitted, class_headline(fitted), describe_folds(fitted), _sections(fitted))


def _sections(fitted: FitResult) -> list[Section]:
    scores: list[Block] = [Table(score_table(fitted), "numbers scores")]
    scores += [Text(text, small=True) for text in score_footnotes(fitted)]
    importance = importance_picture(fitted.validation, "Balanced accuracy lost")
    summary, names = fitted.summary, fitted.pipeline["scaling"].output_names(fitted.plan.feature_names)
    classes = table_of_classes(scores_per_class(fitted.judge, fitted.validation.confusion))
    return [
        Section("Scores", [*scores, Text(_rejection_sentence(fitted)), Text(_sets_sentence(fitted))]),
        students_section(fitted.students),
        Section("Each class", [Table(classes, most=100), Text(SHARES, True, [PAGE]), *_pictures(fitted)]),
        _probability_section(fitted),
        Section("Search", [Text(_search_sentence(fitted)), _grid_picture(fitted)]),
        Section("Feature importance", [inputs_picture(summary.bars), importance]),
        Section(
            f"The student of all rows: {fitted.model}",
            [
                Items(summary.sentences),
                Table(_binary_problem_table(fitted), most=100),
                Table(table_of_prototypes(summary, names), heading="Prototypes"),
                Table(
                    settings_table(fitted.pipeline["model"]),
                    "plain",
                    folded=f"All settings of {fitted.model}",
                    where=[PAGE],
                ),
            ],
        ),
        Section(
            "Rows to look at", [Text(_misclassified_sentence(fitted)), Table(_misclassified_table(fitted))]
        ),
        more_rows_section(fitted),
    ]


# --- tables and sentences


def score_table(fitted: FitResult | FolderResult) -> PageTable:
    rows = []
    for name, found in fitted.validation.estimates.items():
        rows.append([_measure_name(fitted, name), *format_interval(found), f"{fitted.baseline[name]:.3f}"])
    return PageTable(["measure", "left-out rows", "95 % interval", "most frequent class"], rows)


def _measure_name(fitted: FitResult | FolderResult, name: str) -> str:
    if name in ("f1", "auc"):
        many = {"f1": "mean over classes", "auc": "mean, one against rest"}[name]
        return f"{MEASURE_NAMES[name]} ({fitted.judge.positive if len(fitted.judge.classes) == 2 else many})"
    return MEASURE_NAMES[name]


def score_footnotes(fitted: FitResult) -> list[str]:
    how, folds = fitted.validation.how, fitted.validation.folds
    texts = [f"Cross-validation: {describe_folds(fitted)}"]
    texts += [fitted.apart.sentence("accuracy")] if fitted.apart else []
    texts.append(POSTERIOR if how.leave_one_out else f"{RESAMPLED} {AT_LEAST}")
    if all(fold.scores is None for fold in folds):
        texts.append("There is no AUC: this model gives labels, but no scores.")
    K = len(fitted.judge.classes)
    lacking = sum(len(np.unique(fitted.y[fold.test])) < K for fold in folds)
    if lacking and not how.leave_one_out:
        texts.append(
            f"In {lacking} of {format_count(len(folds), 'fold')} some class is not tested: there is no AUC, "
            "and F1 is 0 where the class has no row. Recall and precision of each class pool all folds."
        )
    return texts


def describe_folds(fitted: FitResult) -> str:
    return describe_splits(fitted.validation.how, fitted.request, ", stratified")


def table_of_classes(each: list[ClassScores]) -> PageTable:
    """Table of the classes, the lowest recall first."""
    rows = []
    for found in sorted(each, key=lambda c: c.recall.mean):
        recall, precision = format_interval(found.recall), format_interval(found.precision)
        f1 = f"{found.f1:.3f}" if found.f1 == found.f1 else "–"
        rows.append([found.label, f"{found.rows:.0f}", *recall, *precision, f1, found.mistaken_for or "–"])
    head = ["class", "rows", "recall", "95 %", "precision", "95 %", "F1", "mostly mistaken for"]
    return PageTable(head, rows)


def _confusion_table(fitted: FitResult) -> PageTable:
    """Rows of each true class by predicted class, the mean over repeats."""
    classes, counts = fitted.judge.classes, fitted.validation.confusion
    rows = []
    for label, line in zip(classes, counts, strict=True):
        rows.append([label, *(f"{n:.1f}".removesuffix(".0") for n in line), f"{line.sum():.0f}"])
    return PageTable(["true \\ predicted", *classes, "rows"], rows)


def _search_sentence(fitted: FitResult) -> str:
    """Parameters chosen by the search, in the folds and for all rows."""
    if not fitted.search:
        return ""
    picks = Counter(_format_settings(fold.chosen) for fold in fitted.validation.folds)
    each = "; ".join(f"{pick} in {format_count(n, 'fold')}" for pick, n in picks.most_common(8))
    last = _format_settings(fitted.chosen)
    return f"Chosen by inner folds of each training part: {each}. For the student of all rows: {last}."


def _format_settings(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} = {format_number(value)}" for name, value in settings.items())


def _binary_problem_table(fitted: FitResult) -> PageTable:
    """Table of the binary problems."""
    facts = fitted.summary.problems
    head = list(dict.fromkeys(key for known in facts.values() for key in known))
    rows = [
        [name.removesuffix(" against the rest"), *(known.get(key, "–") for key in head)]
        for name, known in facts.items()
    ]
    return PageTable(["class against the rest", *head], rows)


def _misclassified_sentence(fitted: FitResult) -> str:
    """Sentence on the rows misclassified in every repeat."""
    repeats, rows = fitted.validation.how.repeats, always_misclassified(fitted)
    if not rows:
        return ""
    times = "when left out" if repeats == 1 else f"in all {repeats} repeats"
    shown = ", ".join(map(str, rows[:MAX_LISTED])) + (", ..." if len(rows) > MAX_LISTED else "")
    return f"Wrong {times}: {format_count(len(rows), 'row')} ({shown}), counted from 1 under the header."


def always_misclassified(fitted: FitResult) -> list[int]:
    validation = fitted.validation
    wrong = (validation.wrong == validation.tested) & (validation.tested > 0)
    return [fitted.rows[k] for k in np.flatnonzero(wrong)]


def _misclassified_table(fitted: FitResult) -> PageTable:
    """Misclassified rows, with the smallest change of columns that changes the prediction."""
    rows = []
    for case in fitted.cases:
        rows.append([str(case.row), case.true, case.called, case.change.now, str(case.change) or "–"])
    head = [
        "row",
        "class",
        "predicted when left out",
        "predicted now",
        "smallest change for another prediction",
    ]
    return PageTable(head, rows)


def _rejection_sentence(fitted: FitResult) -> str:
    found = fitted.rejection
    if found is None:
        return ""
    if not found.answered:
        return (
            f"No threshold promises that {100 * found.asked:g} % of the answers are right: `predict` will "
            "reject every row. Collect more rows, or ask for less."
        )
    return (
        f"`predict` answers where the certainty is at least {format_number(found.threshold)}: "
        f"{100 * found.answered:.1f} % of the left-out rows, {100 * found.accuracy:.1f} % of them right; of "
        f"new rows at least {100 * found.promised:.1f} %, with {100 * CONFIDENCE:.0f} % confidence (Clopper "
        "and Pearson)."
    )


def _sets_sentence(fitted: FitResult) -> str:
    found = fitted.sets
    if found is None:
        return ""
    where = " in each class" if fitted.request.answers.sets_per_class else ""
    return (
        f"`predict` gives sets of classes, {100 * found.level:g} % of which contain the true one{where}: "
        f"{100 * found.covered:.1f} % of the left-out rows, by thresholds of other folds. A set has "
        f"{found.size:.2f} classes on average; {100 * found.single:.1f} % have one."
    )


def _probability_section(fitted: FitResult) -> Section:
    """Log loss and Brier score beside those of logistic regression, and the reliability."""
    found, head = fitted.probabilities, ["measure", fitted.model, "95 %"]
    beside = found.logistic or {}
    head += ["logistic regression", "95 %"] if beside else []
    rows = []
    for name, own in found.scores.items():
        others = format_interval(beside[name]) if beside else []
        rows.append([MEASURE_NAMES[name], *format_interval(own), *others, f"{found.frequencies[name]:.3f}"])
    return Section(
        "Probabilities",
        [
            Text(PLATT),
            Table(PageTable([*head, "class frequencies"], rows), "numbers scores"),
            _reliability_picture(fitted),
        ],
    )


# --- figures


def roc_curves(fitted: FitResult) -> dict[str, AveragedRoc]:
    """ROC of each class averaged over the folds that test it; leave-one-out has one curve and no band."""
    folds = [(fold.test, fold.scores) for fold in fitted.validation.folds if fold.scores is not None]
    if fitted.validation.how.leave_one_out and folds:
        folds = [(np.concatenate([test for test, _ in folds]), np.concatenate([s for _, s in folds]))]
    found: dict[str, list[tuple[Array, Array]]] = {}
    for test, scores in folds:
        for label, (S, s) in fitted.judge.against_rest(fitted.y[test], scores).items():
            if 0 < S.sum() < len(S):
                found.setdefault(label, []).append((S, s))
    return {label: averaged_roc(pairs) for label, pairs in found.items()}


def _pictures(fitted: FitResult) -> list[Block]:
    """ROC and confusion: side by side for few classes."""
    curves = roc_curves(fitted)
    roc = ReportPicture("roc", _roc_caption(fitted, curves), (curves,)) if curves else None
    caption = "Confusion in per cent of the rows of each true class, left-out rows only."
    heading = "Confusion: rows of each true class, by predicted class, mean over the repeats"
    few = len(fitted.judge.classes) <= MAX_PRINTED_CLASSES
    confusion = ReportPicture(
        "confusion",
        caption,
        (fitted.judge.classes, fitted.validation.confusion),
        _confusion_table(fitted),
        heading if few else "",
    )
    few = len(fitted.judge.classes) <= MAX_SIDE_BY_SIDE
    return [[p for p in (roc, confusion) if p]] if few else [p for p in (roc, confusion) if p]


def _roc_caption(fitted: FitResult, found: dict[str, AveragedRoc]) -> str:
    classes = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
    if len(found) > COLOURED_CURVES:
        classes = f"All {len(found)} classes against the rest; the {NAMED_CURVES} of least area are named."
    band = ", band: one standard deviation of the folds" if len(found) <= 3 else ""
    folds = "" if fitted.validation.how.leave_one_out else f" Mean over the folds{band}."
    return f"ROC by the threshold on the score. {classes}{folds}"


def _reliability_picture(fitted: FitResult) -> ReportPicture:
    found = fitted.probabilities
    what = f"of {found.of!r}" if found.of else "of the most probable class"
    caption = f"Probabilities {what} on left-out rows; on the dotted line they are calibrated."
    curves = [(fitted.model, found.bins)]
    curves += [("logistic regression", found.logistic_bins)] if found.logistic_bins else []
    rows = [
        [name, f"{b.said:.3f}", *format_interval(b.true), str(b.rows)] for name, bins in curves for b in bins
    ]
    table = PageTable(["model", "predicted probability", "observed share", "95 %", "rows"], rows)
    return ReportPicture("reliability", caption, (curves,), table)


def _grid_picture(fitted: FitResult) -> ReportPicture | None:
    if not fitted.search:
        return None
    caption = (
        "Balanced accuracy in the inner folds of all rows: mean and standard deviation. It selects the final "
        "model; the scores above come from outer folds, not used by the search."
    )
    return ReportPicture(
        "grid", caption, (fitted.search, "balanced accuracy of the search"), _grid_table(fitted)
    )


def _grid_table(fitted: FitResult) -> PageTable:
    tried, mean, sd = (fitted.search[key] for key in ("tried", "mean", "sd"))
    rows = [
        [*(format_number(v) for v in point.values()), f"{m:.4f}", f"{s:.4f}"]
        for point, m, s in zip(tried, mean, sd, strict=True)
    ]
    return PageTable([*tried[0], "balanced accuracy", "deviation"], rows)
