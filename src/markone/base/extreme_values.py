"""Checks of parameters that lead to overflow, and of the fitted weights."""

import math
from typing import Any

import numpy as np

# Largest number of passes over the data that is accepted.
MOST_PASSES = 10**12
# Parameters that multiply or divide others: their squares must be representable, too.
DELICATE = ("intercept_scaling", "sigma2", "mu", "l2", "gamma")
# Attributes that are weights: finite, or nothing was learned.
WEIGHTS = ("coef_", "intercept_", "embedding_")


def check_numbers(estimator: Any) -> None:
    """Raise ValueError for integers beyond 64 bits and for parameters whose squares overflow."""
    for name, value in vars(estimator).items():
        if type(value) is not int or name.endswith("_"):
            continue
        if abs(value) >= 2**63:
            raise ValueError(f"{name} has {len(str(abs(value)))} digits: write it as a float, or smaller.")
        if name == "max_iter" and value > MOST_PASSES:
            raise ValueError(f"max_iter = {value:.0e} would never end: at most {MOST_PASSES:.0e}.")
    for name in DELICATE:
        value = getattr(estimator, name, None)
        # Other types and values that are not positive are refused by the check of the parameter.
        if isinstance(value, int | float) and value > 0 and _is_extreme(name, value):
            raise ValueError(f"{name} = {value:g} leads to overflow or underflow: choose it nearer to one.")


def check_finite(estimator: Any) -> None:
    """Raise ValueError if fitted weights are not finite."""
    for name in WEIGHTS:
        found = estimator.__dict__.get(name)
        # The sum of squares takes a sixth of the time; only if it overflows each weight is checked.
        if not isinstance(found, np.ndarray) or math.isfinite(np.vdot(found, found)):
            continue
        if not np.isfinite(found).all():
            extreme = ", ".join(
                f"{key} = {value:g}" for key, value in vars(estimator).items() if _is_extreme(key, value)
            )
            why = f" with {extreme}: choose values nearer to one" if extreme else ": scale X to about one"
            raise ValueError(f"{name} of {type(estimator).__name__} is not finite{why}.")


def _is_extreme(name: str, value: Any) -> bool:
    """Whether the value is a number of extreme size."""
    plain = isinstance(value, int | float) and not isinstance(value, bool) and not name.endswith("_")
    return plain and value not in (0, np.inf) and not 1e-100 < abs(value) < 1e100
