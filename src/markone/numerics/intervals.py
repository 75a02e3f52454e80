"""Every 95 % interval of the package: of fractions, means, means over folds, areas, predictions, draws.

Their coverage in simulations is in docs/evaluation.md (`python -m attack coverage`). `level` is the nominal
coverage; `tail`, the probability left out on either side, is given where it is too small for a level near 1.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainccinv, betaincinv, ndtri, stdtrit

from markone.numerics.arrays import Floats
from markone.numerics.statistics import hall_quantile

Ends = tuple[float, float]


def student_factor(degrees_of_freedom: float, level: float = 0.95) -> float:
    """Half width of a central interval in standard errors: Student's, or Gaussian for infinite freedom."""
    tail = (1 - level) / 2
    return -float(ndtri(tail) if math.isinf(degrees_of_freedom) else stdtrit(degrees_of_freedom, tail))


def wilson_interval(p: float, n: int, level: float = 0.95, tail: float | None = None) -> Ends:
    """Wilson's score interval of a fraction p of n cases."""
    z = -float(ndtri((1 - level) / 2 if tail is None else tail))
    shrink = 1 / (1 + z * z / n)
    centre = (p + z * z / (2 * n)) * shrink
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) * shrink
    # At p = 0 and 1 the interval ends there exactly, without rounding.
    return (0.0 if p == 0 else centre - reach), (1.0 if p == 1 else centre + reach)


def clopper_pearson_interval(hits: int, n: int, tail: float = 0.025) -> Ends:
    """Exact interval of a fraction: those for which `hits` or more, and `hits` or fewer, exceed `tail`."""
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betainccinv(hits + 1, n - hits, tail))
    return low, high


def jeffreys_interval(hits: float, n: float, level: float = 0.95) -> Ends:
    """Interval of the posterior of a fraction, also for numbers of cases that are means; 0 and 1 at the ends.

    Covers the nominal level on the average over fractions; near 0 and 1 it may cover less (.89 at hits of 2).
    """
    a, b, tail = hits + 0.5, n - hits + 0.5, (1 - level) / 2
    low = float(betaincinv(a, b, tail)) if hits > 0 else 0.0
    return low, float(betainccinv(a, b, tail)) if hits < n else 1.0


def mean_interval(mean: float, error: float, n: int, skew: float = 0.0, tail: float = 0.025) -> Ends:
    """Student's interval of the mean of n values, wider on the side to which they are skewed (Hall 1992)."""
    if n < 2:
        return math.nan, math.nan
    q = -float(stdtrit(n - 1, tail))
    return mean - error * hall_quantile(q, skew, n), mean - error * hall_quantile(-q, skew, n)


def fold_interval(
    scores: Floats, train_sizes: Floats, test_sizes: Floats, within: Ends, level: float = 0.95
) -> Ends:
    """Interval of the mean of a score over folds: Nadeau and Bengio (2003), at least Wilson's.

    Folds that all agree have no variance, but finitely many test examples: a score with a least and a largest
    value, `within`, is treated as a proportion of that many examples (for a rare class too narrow). Nominal
    95 % covers .98 to 1.00 in simulations: without the floor it covered .24 to .67 of nearly perfect sets.
    """
    if len(scores) < 2:
        return math.nan, math.nan
    mean, (least, most) = float(np.mean(scores)), within
    half = student_factor(len(scores) - 1, level) * fold_error(scores, train_sizes, test_sizes)
    low, high = mean - half, mean + half
    if math.isfinite(most - least) and math.isfinite(mean):
        n = min(float(np.mean(train_sizes + test_sizes)), float(np.sum(test_sizes)))
        ends = wilson_interval(min(max((mean - least) / (most - least), 0.0), 1.0), round(n), level)
        low = min(low, least + (most - least) * ends[0])
        high = max(high, least + (most - least) * ends[1])
    return max(low, least), min(high, most)


def fold_error(scores: Floats, train_sizes: Floats, test_sizes: Floats) -> float:
    """sd sqrt(1/J + n_test/n_train) of the mean of J folds   (Nadeau and Bengio 2003)."""
    spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else math.nan
    return spread * math.sqrt(1 / len(scores) + float(np.mean(test_sizes / train_sizes)))


def roc_area_interval(area: float, n_positive: float, n_negative: float, level: float = 0.95) -> Ends:
    """Interval of an area under the ROC: Wilson's, with Hanley and McNeil's variance (Newcombe 2006).

    It is valid at area = 1 too, where resampling has zero width.
    """
    z, more = student_factor(math.inf, level), (n_positive + n_negative) / 2 - 1

    def deviation(theta: float) -> float:
        pairs = 1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return float((area - theta) ** 2 - z**2 * theta * (1 - theta) * pairs / (n_positive * n_negative))

    # At 0 and 1 the variance vanishes and a second root is the area itself: start next to it.
    low = brentq(deviation, 0.0, min(area, 1 - 1e-9)) if area > 0 else 0.0
    high = brentq(deviation, max(area, 1e-9), 1.0) if area < 1 else 1.0
    return float(low), float(high)


def draws_interval(draws: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Quantiles of draws (first axis) of a posterior or a bootstrap; NaN are left out."""
    low, high = np.nanquantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high
