"""Parameters that floating-point numbers cannot carry, and what comes out of them."""

import math
from typing import Any

import numpy as np

# Passes over the data: beyond, nobody lives to see the end.
MOST_PASSES = 10**12
# Parameters that others are multiplied with or divided by: squares of them must be numbers, too.
DELICATE = ("intercept_scaling", "sigma2", "mu", "l2", "gamma")
# Attributes that are weights: finite, or nothing was learned.
WEIGHTS = ("coef_", "intercept_", "embedding_")


def check_numbers(estimator: Any) -> None:
    """Whole numbers that no machine word holds, and numbers of passes that never end."""
    for name, value in vars(estimator).items():
        if type(value) is not int or name.endswith("_"):
            continue
        if abs(value) >= 2**63:
            raise ValueError(f"{name} has {len(str(abs(value)))} digits: write it as a float, or smaller.")
        if name == "max_iter" and value > MOST_PASSES:
            raise ValueError(f"max_iter = {value:.0e} would never end: at most {MOST_PASSES:.0e}.")
    for name in DELICATE:
        value = getattr(estimator, name, None)
        # What is no number, or not positive, is refused as such by who knows the parameter.
        if isinstance(value, int | float) and value > 0 and odd(name, value):
            raise ValueError(f"{name} = {value:g} leaves no room for other numbers: choose it nearer to one.")


def check_finite(estimator: Any) -> None:
    """Weights that overflowed are refused: their predictions would mean nothing."""
    for name in WEIGHTS:
        found = estimator.__dict__.get(name)
        # Squares are added in a sixth of the time; where their sum overflows, each is looked at.
        if not isinstance(found, np.ndarray) or math.isfinite(np.vdot(found, found)):
            continue
        if not np.isfinite(found).all():
            extreme = ", ".join(
                f"{key} = {value:g}" for key, value in vars(estimator).items() if odd(key, value)
            )
            why = f" with {extreme}: choose values nearer to one" if extreme else ": scale X to about one"
            raise ValueError(f"{name} of {type(estimator).__name__} is not finite{why}.")


def odd(name: str, value: Any) -> bool:
    """Far from one, but a number."""
    plain = isinstance(value, int | float) and not isinstance(value, bool) and not name.endswith("_")
    return plain and value not in (0, np.inf) and not 1e-100 < abs(value) < 1e100
