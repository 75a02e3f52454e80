"""Schedules of the optimal on-line rules: the angle to the teacher expected after a number of examples."""

from functools import lru_cache

import numpy as np

from markone.numerics.arrays import Floats
from markone.perceptron.theory.online import drift, optimal, optimal_rate
from markone.perceptron.theory.online.flow import Trajectory


# As many as a figure has values of alpha: each is reused by every block of repeats.
@lru_cache(maxsize=32)
def optimal_schedule(
    rule: str, first: int, last: int, N: int, noise: float = 0.0, delta: float = 0.0
) -> Floats:
    """cot(theta) ("optimal") or best rate ("optimal_rate") before each of the examples first .. last-1.

    Before the first example, half an example is assumed.
    """
    alpha = np.maximum(np.arange(first, last, dtype=np.float64), 0.5) / N
    flow = _rule_trajectory(rule, alpha, noise, delta)
    values = flow.g if rule == "optimal" else np.asarray(optimal_rate.best_rate_at(flow.theta, noise))
    values.setflags(write=False)
    return values


def _rule_trajectory(rule: str, alpha: Floats, noise: float, delta: float) -> Trajectory:
    """Trajectory of the rule; without drift a simpler one."""
    if delta > 0:
        return drift.trajectory(alpha, rule, delta, noise)
    return (optimal if rule == "optimal" else optimal_rate).trajectory(alpha, noise)
