"""Choice of a working point of the ROC   (section 6.3.1).

scikit-learn's `TunedThresholdClassifierCV` chooses a threshold by cross-validation and stores it in the
estimator: use that to deploy. Here the rules are functions of scores.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.evaluation.roc_curves.curve import positive_mask, roc
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class WorkingPoint:
    """Threshold, its rates (6.11) and the value of the rule on the examples it was chosen on.

    Parameters
    ----------
    threshold : float
        Predict +1 where g >= threshold.
    fpr, tpr : float
        Rates (6.11) on the examples it was chosen on.
    value : float
        Value of the quantity that the rule optimises.
    rule : str
        The rule.

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
    """Threshold by "youden" (largest tpr - fpr), "fpr" (largest tpr with at most `fpr`) or "cost".

    The threshold is half-way between two examples; of ties the higher one is taken.

    Parameters
    ----------
    y : array (P,)
        Their labels.
    g : array (P,)
        The discriminant, larger for the positive class.
    rule : {"youden", "fpr", "cost"}, default="youden"
        What is optimised.
    positive : label or None, default=None
        Positive class; None: the larger label.
    fpr : float, default=0.05
        Largest false positive rate allowed by the rule "fpr".
    cost : tuple of float, default=(1.0, 1.0)
        Costs of a false positive and of a false negative; the mean cost at the `prevalence` is minimised.
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
    S, curve = positive_mask(y, positive), roc(y, g, positive=positive)
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
    return WorkingPoint(
        _midpoint_threshold(curve.thresholds, k), float(curve.fpr[k]), float(curve.tpr[k]), best, rule
    )


def _midpoint_threshold(thresholds: Array, k: int) -> float:
    """Midpoint to the next lower score: at the score itself rounding would decide."""
    if k == 0 or k + 1 == len(thresholds):
        return float(thresholds[k])
    return float((thresholds[k] + thresholds[k + 1]) / 2)
