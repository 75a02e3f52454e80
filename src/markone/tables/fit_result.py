"""Results of a fit, used to print, draw and save it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, ClassVar

from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.tables.answers.decision import ScoreCalibration
from markone.tables.answers.drift import TrainingRange
from markone.tables.comparing.differences import StudentChoice
from markone.tables.findings.evidence import TableFinding
from markone.tables.inspect.learning_curve import LearningCurve
from markone.tables.inspect.model_summary import ModelSummary, SortedInputs
from markone.tables.inspect.row_changes import MisclassifiedRow
from markone.tables.inspect.validation_diagnostics import (
    PredictionSets,
    ProbabilityScores,
    RejectionThreshold,
)
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import FitRequest
from markone.tables.row_splits import NO_TIES, RowTies
from markone.tables.scoring import ClassScoring, Interval
from markone.tables.validation import Validation

if TYPE_CHECKING:
    from markone.tables.partitions.partition_summary import PartitionSummary


@dataclass(frozen=True)
class ApartScore:
    """Accuracy, or root mean square error, where the rows kept `together` are in different folds."""

    together: str
    score: float

    def sentence(self, measure: str) -> str:
        seems = f"{100 * self.score:.1f} % right" if measure == "accuracy" else f"off by {self.score:.3g}"
        what = self.together[0].upper() + self.together[1:]
        return f"{what} were kept in one fold; in different folds the model would seem {seems}."

    def headline_part(self, measure: str, found: Interval) -> str:
        """The sentence, if the score lies outside the interval of folds that keep the rows together."""
        return "" if found.low <= self.score <= found.high else f" {self.sentence(measure)}"


@dataclass(kw_only=True, repr=False)
class TableResult:
    """What the results of classes and numbers have in common.

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
    findings : list of TableFinding
        Problems found in the data.
    training : TrainingRange or None
        Distribution of the training rows.
    seconds : float
        Time of the fit.
    data_hash : str
        SHA-256 of the file.
    students : StudentChoice or None
        The students compared, if the request names no model.
    apart : ApartScore or None
        The score without keeping the rows of one unit together, if units were found.
    more : LearningCurve or None
        The learning curve and its forecast, if requested.
    """

    request: FitRequest
    plan: ColumnPlan
    notes: list[str]
    model: str
    validation: Validation
    pipeline: Any
    summary: ModelSummary
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    findings: list[TableFinding] = field(default_factory=list)
    training: TrainingRange | None = None
    seconds: float = 0.0
    data_hash: str = ""
    students: StudentChoice | None = None
    apart: ApartScore | None = None
    more: LearningCurve | None = None

    # Renders the page of a result, predicts a new table, explains one row; set by `dispatch`.
    render: ClassVar[Callable[[Any], str] | None] = None
    predict_table: ClassVar[Callable[..., Any] | None] = None
    explain_row: ClassVar[Callable[..., dict[str, str]] | None] = None

    def __init_subclass__(cls) -> None:
        """Describe the shared fields in the docstring of each result."""
        line = "----------\n"
        shared = cleandoc(TableResult.__doc__ or "").partition(line)[2]
        cls.__doc__ = cleandoc(cls.__doc__ or "").replace(line, f"{line}{shared}\n", 1)

    def __repr__(self) -> str:
        name, found = type(self).__name__, self.validation.estimates
        measure = "accuracy" if "accuracy" in found else "rmse"
        scored = f"{measure}={format_number(found[measure].mean, 3)}"
        return f"{name}(model={self.model!r}, target={self.plan.target!r}, rows={len(self.rows)}, {scored})"

    def _repr_html_(self) -> str:
        """The page, in a frame of its own: its style does not touch the notebook."""
        render = type(self).render
        page = "" if render is None else html.escape(render(self), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def predict(self, data: Any, **options: Any) -> Any:
        """Predict a new table: the `Predictions` of `markone.tables.predict`, with its options."""
        apply = type(self).predict_table
        assert apply is not None
        return apply(self, data, **options)

    def explain(self, row: Any, keep: Sequence[str] = ()) -> dict[str, str]:
        """Prediction of one row, and why: a dictionary of texts, with the columns of `predict --explain`.

        `row` is a row number of the table of the fit, from 1, or a dictionary of its values. Columns in
        `keep` stay as they are in the smallest change.
        """
        explain_row = type(self).explain_row
        assert explain_row is not None
        return explain_row(self, row, keep)

    @property
    def doubts(self) -> list[str]:
        """Findings that question the score."""
        return [str(found) for found in self.findings if found.doubts_score]

    @property
    def remarks(self) -> list[str]:
        """All other findings."""
        return [str(found) for found in self.findings if not found.doubts_score]


@dataclass(kw_only=True, repr=False)
class FitResult(TableResult):
    """Results of `fit` for a target of classes.

    Parameters
    ----------
    judge : ClassScoring
        Classes and positive class.
    class_counts : dict of str to int
        Rows of each class.
    baseline : dict of str to float
        Scores of always predicting the most frequent class.
    calibration : ScoreCalibration
        Probabilities of the classes from the scores of the model.
    probabilities : ProbabilityScores
        Log loss, Brier score and reliability.
    ties : RowTies
        Constraints on how rows are split.
    rejection : RejectionThreshold or None
        Rejection threshold, if requested.
    sets : PredictionSets or None
        Prediction sets, if requested.
    cases : list of MisclassifiedRow
        Rows misclassified in every repeat.

    Examples
    --------
    >>> from markone.tables import FitRequest, fit
    >>> fitted = fit(FitRequest("iris", model="hebb", cv="3"))
    >>> fitted.class_counts
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """

    judge: ClassScoring
    class_counts: dict[str, int]
    baseline: dict[str, float]
    calibration: ScoreCalibration
    probabilities: ProbabilityScores
    ties: RowTies = NO_TIES
    rejection: RejectionThreshold | None = None
    sets: PredictionSets | None = None
    cases: list[MisclassifiedRow] = field(default_factory=list)


@dataclass(kw_only=True, repr=False)
class RegressionResult(TableResult):
    """Results of `fit` for a numeric target.

    Parameters
    ----------
    width : float
        Half the width of the prediction interval from residuals.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_diabetes
    >>> from markone.tables import ColumnOptions, FitRequest, fit
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "diabetes.csv")
    ...     load_diabetes(as_frame=True).frame.to_csv(path, index=False)
    ...     fitted = fit(FitRequest(str(path), options=ColumnOptions("target"), cv="1x5"))
    >>> fitted.model, bool(fitted.validation.estimates["r2"].mean > 0.4)
    ('ridge', True)
    """

    width: float

    @property
    def weights(self) -> SortedInputs | None:
        """Weights of a linear model, the largest first."""
        return self.summary.bars

    @property
    def sentences(self) -> list[str]:
        """Summary of the model."""
        return self.summary.sentences

    @property
    def regressor(self) -> Any:
        return self.pipeline["model"].regressor_


@dataclass(kw_only=True)
class FolderResult:
    """Scores of the folds, summary of the columns, and the model fitted to all rows if requested."""

    request: FitRequest
    model: str
    task: str
    judge: ClassScoring
    validation: Validation
    baseline: dict[str, float]
    known: PartitionSummary
    pipeline: Any = None
    summary: ModelSummary | None = None
    percentiles: Array | None = None  # (101, columns), of a sample; only with a final model
    seconds: float = 0.0
    # What the headline of a table in memory may also have.
    rejection: None = None
    apart: None = None

    @property
    def class_counts(self) -> dict[str, int]:
        return self.known.classes

    @property
    def findings(self) -> list[TableFinding]:
        return self.known.findings
