"""Results of a classification fit, used to print, draw and save it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from markone.numerics.arrays import Array
from markone.tables.answers.drift import TrainingRange
from markone.tables.answers.reject_option import RejectionThreshold
from markone.tables.findings.finding import TableFinding
from markone.tables.inspect.misclassified_rows import MisclassifiedRow
from markone.tables.inspect.missing_treatments import MissingTreatment
from markone.tables.model_summary import ModelSummary
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.row_ties import RowTies
from markone.tables.request import FitRequest
from markone.tables.row_splits import NO_TIES
from markone.tables.scores import ClassScoring
from markone.tables.validation import Validation


@dataclass
class FitResult:
    """Results of `fit` for a target of classes.

    Parameters
    ----------
    request : FitRequest
        The request.
    plan : ColumnPlan
        How each column is used.
    notes : list of str
        What was done to the data, in sentences.
    model : str
        Name of the model.
    judge : Judge
        Classes and positive class.
    class_counts : dict of str to int
        Rows of each class.
    baseline : dict of str to float
        Scores of always predicting the most frequent class.
    validation : Validation
        Scores of the folds.
    pipeline : sklearn.pipeline.Pipeline
        Scaling and model, fitted to all rows.
    summary : ModelSummary
        Weights, prototypes and certificates of the model.
    y : array (P,)
        The labels.
    rows : list of int
        The rows of the file that were used.
    chosen : dict
        Parameters chosen by the grid search.
    search : dict
        Scores of the search.
    seconds : float
        Time of the fit.
    findings : list of TableFinding
        Problems found in the data.
    ties : RowTies
        Constraints on how rows are split.
    training : TrainingRange or None
        Distribution of the training rows.
    rejection : Rejection or None
        Rejection threshold, if requested.
    missing_ways : list of MissingWay
        Other treatments of missing values on the same folds, if requested.
    cases : list of Case
        Rows misclassified in every repeat.
    data_hash : str
        SHA-256 of the file.

    Examples
    --------
    >>> from markone.tables import FitRequest, fit
    >>> fitted = fit(FitRequest("iris", model="hebb", cv="3"))
    >>> fitted.class_counts
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """

    request: FitRequest
    plan: ColumnPlan
    notes: list[str]
    model: str
    judge: ClassScoring
    class_counts: dict[str, int]
    baseline: dict[str, float]
    validation: Validation
    pipeline: Any
    summary: ModelSummary
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    seconds: float
    findings: list[TableFinding] = field(default_factory=list)
    ties: RowTies = NO_TIES
    training: TrainingRange | None = None
    rejection: RejectionThreshold | None = None
    missing_ways: list[MissingTreatment] = field(default_factory=list)
    cases: list[MisclassifiedRow] = field(default_factory=list)
    data_hash: str = ""
