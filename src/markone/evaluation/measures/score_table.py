"""All measures of section 6.3 with intervals, in one table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics

from markone.base.parameters import Labels, Level, Predictions, Seed, documented
from markone.evaluation.roc_curves.curve import positive_mask
from markone.numerics.arrays import Array
from markone.numerics.intervals import draws_interval, roc_area_interval, wilson_interval

DRAWS = 4000


@dataclass(frozen=True)
class Score:
    """One measure with its interval."""

    measure: str
    value: float
    low: float
    high: float


@documented
@dataclass(frozen=True)
class Scores:
    """Table of measures; `[name]` returns one of them.

    Examples
    --------
    >>> from markone.evaluation import scores
    >>> table = scores([0, 0, 1, 1], [0, 1, 1, 1])
    >>> table["accuracy"].value, table.n
    (0.75, 4)
    """

    rows: Annotated[list[Score], "list of Score: Measure, value, low and high of each."]
    level: Annotated[float, "Probability of the intervals."]
    n: Annotated[int, "Number of examples."]

    def __getitem__(self, measure: str) -> Score:
        for row in self.rows:
            if row.measure == measure:
                return row
        known = ", ".join(row.measure for row in self.rows)
        raise KeyError(f"There is no measure {measure!r} here: there are {known}.")

    def __str__(self) -> str:
        lines = [f"{'measure':20} {'value':>7}   {100 * self.level:g} % interval ({self.n} examples)"]
        return "\n".join(
            lines + [f"{r.measure:20} {r.value:7.4f}   {r.low:.4f} .. {r.high:.4f}" for r in self.rows]
        )


@documented
def scores(
    y: Labels,
    predicted: Predictions,
    g: ArrayLike | None = None,
    *,
    positive: Any = None,
    level: Level = 0.95,
    seed: Seed = 0,
) -> Scores:
    """Accuracy, balanced accuracy, precision, recall, F and Matthews' coefficient on one test set.

    Values are scikit-learn's. Intervals: the confusion matrix, class sizes included, is drawn from its
    posterior Dirichlet(counts + 1/K); for two classes that is Jeffreys' interval of each rate, which has a
    positive width also without errors. In simulations nominal 95 % covered .93 or more. The area under
    ROC has Newcombe's interval, average precision Wilson's.

    Parameters
    ----------
    g : array (P,) or None, default=None
        The discriminant of two classes: with it also the areas under ROC and precision-recall.
    positive : label or None, default=None
        Two classes: precision, recall, specificity and F1 refer to this one (default: the larger label).
        More classes: means over classes.

    Returns
    -------
    Scores
        The measures with their intervals.

    Examples
    --------
    >>> from markone.evaluation import scores
    >>> found = scores([0, 0, 1, 1], [0, 1, 1, 1])["balanced_accuracy"]
    >>> found.value, bool(found.low < found.value < found.high)
    (0.75, True)
    """
    y, predicted = np.asarray(y), np.asarray(predicted)
    if y.shape != predicted.shape or y.ndim != 1 or not len(y):
        raise ValueError(f"y has shape {y.shape}, predicted {predicted.shape}: give two of one length.")
    if not 0 < level < 1:
        raise ValueError(f"level = {level} must lie between 0 and 1.")
    labels = np.union1d(y, predicted)
    if positive is None and len(labels) == 2:
        positive = labels[1]
    if len(labels) <= 2:
        labels = np.array([*labels[labels != positive], positive]) if positive in labels else labels
    counts = metrics.confusion_matrix(y, predicted, labels=labels)
    rows = confusion_scores(counts.astype(float), level, seed)
    if g is not None:
        rows += _discriminant_scores(y, np.asarray(g, dtype=float), positive, level)
    return Scores(rows, level, len(y))


def confusion_scores(counts: Array, level: float = 0.95, seed: Any = 0) -> list[Score]:
    """Measures of one confusion matrix (K, K) with the intervals of its posterior; counts may be means
    over repetitions, in which each example counts once."""
    values = confusion_measures(counts[None])
    drawn = confusion_measures(_draw_posterior(counts, np.random.default_rng(seed)))
    rows = []
    for name, value in values.items():
        low, high = (float(end) for end in draws_interval(drawn[name], level))
        rows.append(Score(name, float(value[0]), min(low, float(value[0])), max(high, float(value[0]))))
    return rows


def _discriminant_scores(y: Array, g: Array, positive: Any, level: float) -> list[Score]:
    S = positive_mask(y, positive)
    area, n = float(metrics.roc_auc_score(S, g)), int(S.sum())
    precision = float(metrics.average_precision_score(S, g))
    # Boyd, Eng and Page (2013): average precision as a proportion of n positive examples, somewhat too wide.
    return [
        Score("roc_auc", area, *roc_area_interval(area, n, len(S) - n, level)),
        Score("average_precision", precision, *wilson_interval(precision, n, level)),
    ]


def _draw_posterior(counts: Array, rng: np.random.Generator) -> Array:
    """Draw DRAWS confusion matrices; class sizes vary too, classes without examples stay empty."""
    alpha = (counts + 1 / len(counts)) * (counts.sum(axis=1, keepdims=True) > 0)
    drawn = np.zeros((DRAWS, alpha.size))
    possible = alpha.ravel() > 0
    drawn[:, possible] = rng.dirichlet(alpha.ravel()[possible], DRAWS)
    return np.asarray(counts.sum() * drawn.reshape(DRAWS, *counts.shape))


def confusion_measures(c: Array) -> dict[str, Array]:
    """Measures of confusion matrices (n, K, K), rows true, columns predicted; 0/0 counts as 0.

    scikit-learn's definitions, for many matrices at once.
    """
    total, right = c.sum((1, 2)), np.trace(c, axis1=1, axis2=2)
    hits, true, predicted = np.diagonal(c, axis1=1, axis2=2), c.sum(2), c.sum(1)
    recall, precision, f = (
        _safe_ratio(hits, true),
        _safe_ratio(hits, predicted),
        _safe_ratio(2 * hits, true + predicted),
    )
    # A class without examples has no recall: as in scikit-learn, the balanced accuracy omits it.
    present = true > 0
    found = {
        "accuracy": right / total,
        "balanced_accuracy": np.where(present, recall, 0).sum(1) / present.sum(1),
    }
    pick: Callable[[Array], Array] = (lambda v: v[:, 1]) if c.shape[1] == 2 else (lambda v: v.mean(1))
    found |= {"precision": pick(precision), "recall": pick(recall), "f1": pick(f)}
    if c.shape[1] == 2:
        found["specificity"] = recall[:, 0]
    top = right * total - (true * predicted).sum(1)
    bottom = np.sqrt((total**2 - (true**2).sum(1)) * (total**2 - (predicted**2).sum(1)))
    return found | {"matthews": _safe_ratio(top, bottom)}


def _safe_ratio(a: Array, b: Array) -> Array:
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
