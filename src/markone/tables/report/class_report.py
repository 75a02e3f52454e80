"""Report of a classification."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from markone.evaluation import AveragedRoc, averaged_roc
from markone.numerics.arrays import Array
from markone.numerics.text import format_count, format_number
from markone.show.page import PageTable
from markone.tables.fit_result import FitResult
from markone.tables.inspect.validation_diagnostics import (
    CONFIDENCE,
    Reliability,
    column_importance,
    compute_reliability,
)
from markone.tables.report.blocks import (
    COLOURED_CURVES,
    NAMED_CURVES,
    NO_TABLE,
    PAGE,
    TERMINAL,
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
    settings_table,
    students_section,
)
from markone.tables.report.headline import class_headline
from markone.tables.report.model_card import model_card
from markone.tables.row_intervals import AT_LEAST, ClassScores, scores_per_class
from markone.tables.scoring import MEASURE_NAMES, POSTERIOR, RESAMPLED

SHARES = (
    "Intervals of recall and precision: 95 %, Jeffreys, each row counted once; they ignore the "
    "variation of the model with other training rows."
)
# Above this number of classes the confusion is not printed, and drawn below the other figures.
MAX_PRINTED_CLASSES, MAX_SIDE_BY_SIDE = 10, 5
# Largest number of misclassified rows listed.
MAX_LISTED = 30


def build_class_report(fitted: FitResult) -> Report:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    searches = ", each after a search" if fitted.search else ""
    fits = f"{format_count(len(fitted.validation.folds) + 1, 'student')}{searches}, {fitted.seconds:.1f} s"
    return Report(
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=f"{format_count(P, 'row')}, {format_count(N, 'input')}, target {fitted.plan.target!r}",
        headline=class_headline(fitted),
        doubts=fitted.doubts,
        findings=fitted.remarks,
        notes=fitted.notes,
        sections=_sections(fitted),
        provenance=[["seed", str(fitted.request.seed)], ["fits", fits]],
        card=model_card(fitted, class_headline(fitted), describe_folds(fitted)),
    )


def _sections(fitted: FitResult) -> list[Section]:
    scores: list[Block] = [Table(score_table(fitted), "numbers scores")]
    scores += [Text(text, small=True) for text in score_footnotes(fitted)]
    summary = fitted.summary
    return [
        Section("Scores", [*scores, Text(_rejection_sentence(fitted)), Text(_sets_sentence(fitted))]),
        students_section(fitted.students),
        Section(
            "Each class",
            [Table(_class_score_table(fitted), most=100), Text(SHARES, True, [PAGE]), *_pictures(fitted)],
        ),
        Section("Search", [Text(_search_sentence(fitted)), _grid_picture(fitted)]),
        Section("Feature importance", [inputs_picture(summary.bars), _importance_picture(fitted)]),
        Section(
            f"The student of all rows: {fitted.model}",
            [
                Items(summary.sentences),
                Table(_binary_problem_table(fitted), most=100),
                Table(_prototype_table(fitted), heading="Prototypes"),
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
        Section("Ways to treat missing values", [Table(_missing_treatment_table(fitted))]),
    ]


# --- tables and sentences


def score_table(fitted: FitResult) -> PageTable:
    rows = []
    for name, found in fitted.validation.estimates.items():
        rows.append([_measure_name(fitted, name), *format_interval(found), f"{fitted.baseline[name]:.3f}"])
    return PageTable(["measure", "left-out rows", "95 % interval", "most frequent class"], rows)


def _measure_name(fitted: FitResult, name: str) -> str:
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


def _class_score_table(fitted: FitResult) -> PageTable:
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


def _prototype_table(fitted: FitResult) -> PageTable:
    if fitted.summary.prototypes is None:
        return NO_TABLE
    labels, values = fitted.summary.prototypes
    rows = [
        [label, *(format_number(float(v)) for v in line)] for label, line in zip(labels, values, strict=True)
    ]
    header = ["class", *fitted.pipeline["scaling"].output_names(fitted.plan.feature_names)]
    if len(header) > len(rows):
        # A long table is easier to read than a wide one.
        header, *rows = (list(column) for column in zip(header, *rows, strict=True))
    return PageTable(header, rows)


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


def _missing_treatment_table(fitted: FitResult) -> PageTable:
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


def fit_reliability(fitted: FitResult) -> Reliability | None:
    return compute_reliability(fitted.judge, fitted.validation, fitted.y)


def _brier_sentence(found: Reliability) -> str:
    mean, between = format_interval(found.brier)
    return (
        f"Brier score {mean} (95 %: {between}), compared with {found.base:.3f} of predicting the class "
        "frequencies; 0 is best."
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
    """ROC, confusion and reliability: side by side for few classes."""
    curves, found = roc_curves(fitted), fit_reliability(fitted)
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
    probable = None if found is None else _reliability_picture(fitted, found)
    texts: list[Block] = [Text(_brier_sentence(found), where=[TERMINAL])] if found else []
    if len(fitted.judge.classes) <= MAX_SIDE_BY_SIDE:
        return [[p for p in (roc, confusion, probable) if p], *texts]
    return [[p for p in (roc, probable) if p], confusion, *texts]


def _roc_caption(fitted: FitResult, found: dict[str, AveragedRoc]) -> str:
    classes = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
    if len(found) > COLOURED_CURVES:
        classes = f"All {len(found)} classes against the rest; the {NAMED_CURVES} of least area are named."
    band = ", band: one standard deviation of the folds" if len(found) <= 3 else ""
    folds = "" if fitted.validation.how.leave_one_out else f" Mean over the folds{band}."
    return f"ROC by the threshold on the score. {classes}{folds}"


def _reliability_picture(fitted: FitResult, found: Reliability) -> ReportPicture:
    what = f"of {found.of!r}" if found.of else "of the predicted class"
    made = "calibrated inside the folds" if fitted.judge.calibrate else "as the model gives them"
    caption = f"Probabilities {what}, {made}, on left-out rows; on the dotted line they are calibrated. "
    rows = [[f"{b.said:.3f}", *format_interval(b.true), f"{b.rows:.0f}"] for b in found.bins]
    table = PageTable(["predicted probability", "observed share", "95 %", "rows"], rows)
    return ReportPicture("reliability", caption + _brier_sentence(found), (found,), table)


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


def _importance_picture(fitted: FitResult) -> ReportPicture | None:
    found = column_importance(fitted.validation)
    rows = [[name, *format_interval(each)] for name, each in found.items()]
    heading = "Balanced accuracy lost when a column is permuted"
    return importance_picture(found, "Balanced accuracy lost", heading, rows)
