"""Two Gaussian clusters, and the smallest error of any hyperplane.

xi ~ N(l B_sigma, v_sigma 1) with probability p_sigma, sigma = +-1, two orthogonal unit vectors B.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import ndtr

from markone.numerics.arrays import check_positive


@dataclass(frozen=True)
class Clusters:
    """Distance l of the centres from the origin, variances and the prior of the class +1."""

    l: float = 1.0
    v_plus: float = 1.0
    v_minus: float = 1.0
    p_plus: float = 0.5

    def __post_init__(self) -> None:
        for name in ("l", "v_plus", "v_minus"):
            check_positive(name, getattr(self, name))
        if not 0 < self.p_plus < 1:
            raise ValueError(f"p_plus is a probability and must be in (0, 1), not {self.p_plus}.")


def best_linear_error(clusters: Clusters | None = None) -> float:
    """Smallest error of any hyperplane: min_b p_+ Phi((b-d)/s_+) + p_- Phi(-b/s_-) across the centres.

    d = sqrt(2) l is their distance. The thresholds b are the roots of a quadratic equation; without a
    minimum there, or with a worse one, always predicting the larger class is optimal.
    """
    c = clusters or Clusters()
    d, p, m = sqrt(2) * c.l, c.p_plus, 1 - c.p_plus
    # ln of the two densities are equal: quadratic + linear b + constant = 0
    quadratic = 0.5 / c.v_minus - 0.5 / c.v_plus
    linear = d / c.v_plus
    constant = -0.5 * d * d / c.v_plus + np.log(p / m) + 0.5 * np.log(c.v_minus / c.v_plus)
    b = np.roots([quadratic, linear, constant]) if quadratic != 0 else np.array([-constant / linear])
    b = np.real(b[np.isreal(b)])
    errors = p * ndtr((b - d) / sqrt(c.v_plus)) + m * ndtr(-b / sqrt(c.v_minus))
    return float(min([p, m, *errors]))
