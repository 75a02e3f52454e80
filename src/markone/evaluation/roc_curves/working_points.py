"""Which point of the ROC to work at   (section 6.3.1).

scikit-learn's `TunedThresholdClassifierCV` chooses a threshold by cross-validation and keeps it in the
estimator: use that to deploy. Here the rules are functions of scores, to be looked at.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.evaluation.roc_curves.curve import roc, signs
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class WorkingPoint:
    """Say +1 where g >= threshold; rates (6.11) and the rule's value on the examples it was chosen on.

    Parameters
    ----------
    threshold : float
        Say +1 where g >= threshold.
    fpr, tpr : float
        Rates (6.11) on the examples it was chosen on.
    value : float
        What the rule made largest or smallest.
    rule : str
        The rule it was chosen by.

    Examples
    --------
    >>> from markone.evaluation import working_point
    >>> point = working_point([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.8])
    >>> round(point.threshold, 9), point.fpr, point.tpr
    (0.4, 0.0, 1.0)
    """

    threshold: float
    fpr: float
    tpr: float
    value: float
    rule: str


def working_point(
    y: ArrayLike,
    g: ArrayLike,
    rule: str = "youden",
    *,
    positive: Any = None,
    fpr: float = 0.05,
    cost: tuple[float, float] = (1.0, 1.0),
    prevalence: float | None = None,
) -> WorkingPoint:
    """The threshold by "youden" (largest tpr - fpr), "fpr" (largest tpr with at most `fpr`) or "cost".

    Between two examples the threshold lies half-way; ties go to the higher threshold.

    Parameters
    ----------
    y : array (P,)
        Their labels.
    g : array (P,)
        The discriminant, larger for the positive class.
    rule : {"youden", "fpr", "cost"}, default="youden"
        What is made best.
    positive : label or None, default=None
        The class that is looked for; None: the larger label.
    fpr : float, default=0.05
        The most false alarms that the rule "fpr" allows.
    cost : tuple of float, default=(1.0, 1.0)
        The price of a false alarm and of a miss; the mean price at the `prevalence` is made smallest.
    prevalence : float or None, default=None
        Share of the positive class; None: that of y.

    Returns
    -------
    WorkingPoint
        Threshold, rates and the rule's value.

    Examples
    --------
    >>> from markone.evaluation import working_point
    >>> point = working_point([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "fpr", fpr=0.0)
    >>> point.tpr
    0.5
    """
    S, curve = signs(y, positive), roc(y, g, positive=positive)
    share = float(S.mean()) if prevalence is None else prevalence
    if rule == "youden":
        value = curve.tpr - curve.fpr
    elif rule == "cost":
        value = -(cost[0] * (1 - share) * curve.fpr + cost[1] * share * (1 - curve.tpr))
    elif rule == "fpr":
        if not 0 <= fpr <= 1:
            raise ValueError(f"fpr = {fpr} is a rate: it must lie in [0, 1].")
        value = np.where(curve.fpr <= fpr, curve.tpr, -1.0)
    else:
        raise ValueError(f"There is no rule {rule!r}: choose 'youden', 'fpr' or 'cost'.")
    k = int(np.argmax(value))
    best = float(-value[k] if rule == "cost" else value[k])
    return WorkingPoint(_between(curve.thresholds, k), float(curve.fpr[k]), float(curve.tpr[k]), best, rule)


def _between(thresholds: Array, k: int) -> float:
    """Half-way to the next lower score: at the score itself the answer would hang on its last bit."""
    if k == 0 or k + 1 == len(thresholds):
        return float(thresholds[k])
    return float((thresholds[k] + thresholds[k + 1]) / 2)
