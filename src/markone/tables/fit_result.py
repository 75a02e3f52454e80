"""What came out of a fit to classes, for whoever prints, draws or saves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from markone.numerics.arrays import Array
from markone.tables.answers.drift import TrainingRange
from markone.tables.answers.rejecting import Rejection
from markone.tables.findings.finding import TableFinding
from markone.tables.inspect.cases import Case
from markone.tables.inspect.missing_ways import MissingWay
from markone.tables.model_summary import ModelSummary
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.ties import RowTies
from markone.tables.request import FitRequest
from markone.tables.scores import Judge
from markone.tables.splitting import FREE
from markone.tables.validation import Validation


@dataclass
class FitResult:
    """All that a report, a terminal or a file wants to know about a fit.

    Parameters
    ----------
    request : FitRequest
        What was asked.
    plan : ColumnPlan
        What became of every column.
    notes : list of str
        What was done to the data, in sentences.
    model : str
        The model in words.
    judge : Judge
        Classes and positive class.
    class_counts : dict of str to int
        Rows of each class.
    baseline : dict of str to float
        Scores of always naming the most frequent class.
    validation : Validation
        Scores of the folds.
    pipeline : sklearn.pipeline.Pipeline
        Scaling and student, fitted to all rows.
    summary : ModelSummary
        What the student says about its inputs.
    y : array (P,)
        The labels.
    rows : list of int
        The rows of the file that were used.
    chosen : dict
        Parameters that a grid search chose.
    search : dict
        Scores of the search.
    seconds : float
        Time of the fit.
    findings : list of TableFinding
        What the table itself shows.
    ties : RowTies
        Rows that stay together in a fold.
    training : TrainingRange or None
        What the rows that taught were like.
    rejection : Rejection or None
        Where answers are refused, if that was asked for.
    missing_ways : list of MissingWay
        Other ways to treat missing values on the same folds, if that was asked for.
    cases : list of Case
        Rows to look at.
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
    judge: Judge
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
    ties: RowTies = FREE
    training: TrainingRange | None = None
    rejection: Rejection | None = None
    missing_ways: list[MissingWay] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    data_hash: str = ""
