"""The model of a request that names none: the simplest student within one standard error of the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.model_selection import train_test_split

from markone.errors import BadTable
from markone.evaluation import FoldTable
from markone.numerics.arrays import Array
from markone.tables import models, row_splits
from markone.tables.comparing.comparison import score_models
from markone.tables.comparing.differences import ComparedModel, StudentChoice
from markone.tables.fitting import requested_scoring
from markone.tables.prepared_data import PreparedData
from markone.tables.request import FitRequest, Folds
from markone.tables.running import Progress
from markone.tables.scoring import MEASURE_NAMES

# Students from simple to complex, and a model without interpretation that shows what could be reached.
STUDENTS = {
    models.CLASSIFICATION: ("soft-margin", "adaline", "rslvq", "gmlvq", "knn"),
    models.REGRESSION: ("ridge", "knn"),
}
CEILING = "gradient-boosting"
# Folds, and largest number of rows, of this comparison: it only selects, the scores come from all rows.
SELECTION_FOLDS, MOST_ROWS = Folds(1, 5), 3000
# Largest loss of an AUC, or another share, for a simpler student, if the best is clearly better than chance:
# otherwise the best of several that guess would be chosen.
LARGEST_LOSS, CHANCE = 0.01, 0.5


def choose_student(
    asked: FitRequest, data: PreparedData, task: str, progress: Progress = lambda done, total: None
) -> StudentChoice | None:
    """Compare the students of the task on the same folds of at most MOST_ROWS rows.

    None if the rows are too few for folds of all classes.
    """
    # At most MOST_ROWS rows, with the shares of the classes, in their order; notes are not shared.
    rows = np.arange(len(data.y))
    if len(rows) > MOST_ROWS:
        classes = None if task == models.REGRESSION else data.y
        drawn, _ = train_test_split(rows, train_size=MOST_ROWS, random_state=asked.seed, stratify=classes)
        rows = np.sort(drawn)
    small = replace(data, X=data.X[rows], y=data.y[rows], ties=data.ties.only(rows), notes=[])
    scoring = requested_scoring(asked, small, task)
    how = row_splits.lower_folds(SELECTION_FOLDS, small.y, small.ties, task, [])
    names = [*STUDENTS[task], CEILING]
    try:
        splits = row_splits.make_splits(how, small.y, asked.seed, small.ties, task)
        entries, failed = score_models(asked, small, names, scoring, splits, progress)
    except BadTable:
        return None
    entries = sorted(entries, key=lambda entry: names.index(entry.name))
    students = [entry for entry in entries if entry.name != CEILING]
    if not students:
        return None
    measure = "auc" if all("auc" in e.estimates for e in entries) else scoring.main_measure
    if not all(np.isfinite(entry.estimates[measure].mean) for entry in entries):
        measure = scoring.main_measure
    sign = -1 if task == models.REGRESSION else 1
    train, test = (np.array([len(split[side]) for split in splits]) for side in (0, 1))
    chosen, sentence = _recommend(students, measure, sign, (train, test))
    return StudentChoice(chosen.name, measure, entries, failed, len(small.y), how, sentence)


def _recommend(
    students: list[ComparedModel], measure: str, sign: int, sizes: tuple[Array, Array]
) -> tuple[ComparedModel, str]:
    """The first student within one standard error of the best, and a sentence that says so.

    The error is that of the difference on the same folds, of which `sizes` are the training and test rows:
    scores of different folds differ more than those of different students. A share is at most LARGEST_LOSS
    lower.
    """
    best = max(students, key=lambda entry: sign * entry.estimates[measure].mean)
    limited = sign > 0 and best.estimates[measure].low > CHANCE
    most, also = (LARGEST_LOSS, f", and {LARGEST_LOSS},") if limited else (np.inf, "")

    def is_as_good(student: ComparedModel) -> bool:
        lost = FoldTable({measure: sign * (best.values[measure] - student.values[measure])}, *sizes)
        error = np.nan_to_num(lost.corrected_error(measure))
        return bool(lost.mean(measure) <= min(float(error), most + 1e-12))

    chosen = next(student for student in students if student is best or is_as_good(student))
    what, near = MEASURE_NAMES[measure], f"within one standard error{also} of"
    if chosen is students[0] is best:
        why = f"it is the simplest student and has the best {what}."
    elif chosen is best:
        why = f"no simpler student is {near} its {what}."
    else:
        why = f"the simplest student {near} the best {what}, of {best.name}."
    return chosen, f"{chosen.name} is recommended: {why}"
