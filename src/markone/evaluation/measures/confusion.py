"""Confusion matrices in per cent (Fig 6.4) and in the F1 form of the digits report's Fig 7.

scikit-learn's `ConfusionMatrixDisplay` draws either.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from markone.base.parameters import Labels, Predictions, documented
from markone.evaluation.measures.score_table import Scores, confusion_measures, scores
from markone.numerics.arrays import Array

ConfusionCounts = Annotated[ArrayLike, "array (K, K): Rows true, columns predicted."]


@documented
def confusion_percent(counts: ConfusionCounts) -> Array:
    """c(i, j): per cent of the examples of class i that are predicted as class j; rows sum to 100 (Fig 6.4).

    A class without examples has a row of NaN.

    Returns
    -------
    array (K, K)
        Per cent of each row.

    Examples
    --------
    >>> from markone.evaluation import confusion_percent
    >>> confusion_percent([[8, 2], [0, 10]]).tolist()
    [[80.0, 20.0], [0.0, 100.0]]
    """
    c = np.asarray(counts, dtype=float)
    total = c.sum(axis=1, keepdims=True)
    return np.asarray(100 * np.divide(c, total, out=np.full_like(c, np.nan), where=total > 0))


@documented
def confusion_f1(counts: ConfusionCounts) -> Array:
    """2 c(i, j) / (sum of row i + sum of column j): on the diagonal the F1 score of the class.

    Off the diagonal it is the F1 of the prediction j as a test for class i: near 0 unless they are confused
    (the digits report, Fig 7).

    Returns
    -------
    array (K, K)
        Values between 0 and 1.

    Examples
    --------
    >>> from markone.evaluation import confusion_f1
    >>> confusion_f1([[8, 2], [0, 10]]).round(3).tolist()
    [[0.889, 0.182], [0.0, 0.909]]
    """
    c = np.asarray(counts, dtype=float)
    both = c.sum(axis=1)[:, None] + c.sum(axis=0)[None, :]
    return np.asarray(np.divide(2 * c, both, out=np.zeros_like(c), where=both > 0))


@dataclass(frozen=True)
class ExpectedMeasures:
    """Expected measures of a classifier with known rates on classes of a given proportion."""

    name: str
    tpr: float
    tnr: float
    accuracy: float
    balanced_accuracy: float
    precision: float
    f1: float
    matthews: float


def measures_from_rates(name: str, tpr: float, tnr: float, rare: float = 0.05) -> ExpectedMeasures:
    """Expected measures of a classifier with the rates `tpr` on the rare class and `tnr` on the other."""
    for what, value in (("tpr", tpr), ("tnr", tnr), ("rare", rare)):
        if not 0 <= value <= 1:
            raise ValueError(f"{what} = {value} is a proportion: it must lie in [0, 1].")
    c = np.array([[[(1 - rare) * tnr, (1 - rare) * (1 - tnr)], [rare * (1 - tpr), rare * tpr]]])
    m = {key: float(value[0]) for key, value in confusion_measures(c).items()}
    others = (m["accuracy"], m["balanced_accuracy"], m["precision"], m["f1"], m["matthews"])
    return ExpectedMeasures(name, tpr, tnr, *others)


def imbalance_report(rare: float = 0.05, rate: float = 0.7) -> list[ExpectedMeasures]:
    """Measures of classifier A, which always predicts the frequent class, and B, right on `rate` of each.

    With 5 % rare and rate 0.7: accuracy 0.95 against 0.70, balanced accuracy 0.5 against 0.7, and A has
    recall 0. Which is better depends on whether the rare class is the one of interest.

    Parameters
    ----------
    rare : float, default=0.05
        Proportion of the rare class.
    rate : float, default=0.7
        Accuracy of B on either class.

    Returns
    -------
    list of ExpectedMeasures
        A and B with their measures.

    Examples
    --------
    >>> from markone.evaluation import imbalance_report
    >>> A, B = imbalance_report()
    >>> round(A.accuracy, 2), round(B.accuracy, 2)
    (0.95, 0.7)
    >>> round(A.balanced_accuracy, 2), round(B.balanced_accuracy, 2)
    (0.5, 0.7)
    """
    return [
        measures_from_rates("A: always the frequent class", 0.0, 1.0, rare),
        measures_from_rates("B: learned", rate, rate, rare),
    ]


@dataclass(frozen=True)
class BaselineComparison:
    """Measures of predictions and of the constant prediction of the most frequent class."""

    answers: Scores
    trivial: Scores
    most_frequent: Any
    share: float

    def __str__(self) -> str:
        head = f"the class {self.most_frequent!r} is {100 * self.share:.1f} % of the examples"
        lines = [head, f"{'measure':20} {'model':>8} {'baseline':>8}"]
        for row in self.answers.rows:
            known = [r.value for r in self.trivial.rows if r.measure == row.measure]
            lines.append(f"{row.measure:20} {row.value:8.4f} {known[0]:8.4f}" if known else "")
        return "\n".join(line for line in lines if line)


@documented
def baseline_comparison(y: Labels, predicted: Predictions, *, positive: Any = None) -> BaselineComparison:
    """Compare predictions with the baseline that always predicts the most frequent class.

    Parameters
    ----------
    positive : label or None, default=None
        Positive class; None: of two classes the rarer one.

    Returns
    -------
    BaselineComparison
        Scores of the predictions (`answers`) and of the baseline (`trivial`).

    Examples
    --------
    >>> from markone.evaluation import baseline_comparison
    >>> found = baseline_comparison([0, 0, 0, 1], [0, 0, 1, 1])
    >>> found.answers["accuracy"].value, found.trivial["accuracy"].value
    (0.75, 0.75)
    """
    y = np.asarray(y)
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) < 2:
        raise ValueError(f"All labels are {str(labels[0])!r}: two classes are needed.")
    most = labels.tolist()[counts.argmax()]
    positive = labels[counts.argmin()] if positive is None and len(labels) == 2 else positive
    constant = np.full(y.shape, most, dtype=y.dtype)
    share = float(counts.max() / len(y))
    answers = scores(y, predicted, positive=positive)
    return BaselineComparison(answers, scores(y, constant, positive=positive), most, share)
