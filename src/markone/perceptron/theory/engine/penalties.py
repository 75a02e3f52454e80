"""The weights' side of the equations: from m_hat, q_hat, V_hat to m, s, V, for a penalty and a prior.

L2 with any spectrum: the components in the eigenbasis of the covariance are independent. L1 and elastic net
r = l1 |W| + l2 W^2/2, W = sqrt(N) w, with independent inputs and a prior of the teacher's weights that is a
mixture of Gaussians: W = soft(B, l1)/(V_hat + l2), B = m_hat W* + sqrt(q_hat) normal; averages are closed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G2, REACH, G, Phi, panel_quadrature, phi
from markone.numerics.text import suggestion_text
from markone.perceptron.theory.engine.losses import read_call

Hats = tuple[Array, Array, Array]


@dataclass(frozen=True)
class Weights:
    """m, s = q - m^2/rho, V, |w|^2 and the fraction of non-zero weights, arrays (m,)."""

    m: Array
    s: Array
    V: Array
    norm2: Array
    nonzero: Array


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues e of the covariance, their weights (1/N), c2 = squares of Cov(x, z), rho = Var z."""

    e: Array
    c2: Array
    weights: Array
    rho: float

    def update_weights(self, hats: Hats, l1: Array, l2: Array) -> Weights:
        e, c2 = self.e, self.c2
        A = 1 / (l2[:, None] + hats[2][:, None] * e)
        shares = np.divide(c2, e, out=np.zeros_like(c2), where=e > 0)
        total = shares.sum()
        along = (c2 * A).sum(-1, keepdims=True)
        # s = q - m^2/rho without the difference.
        signal = (shares * (e * A - along / total) ** 2).sum(-1) + along[:, 0] ** 2 * (
            1 / total - 1 / self.rho
        )
        noise = (self.weights * (e * A) ** 2).sum(-1)
        norm2 = hats[0] ** 2 * (c2 * A * A).sum(-1) + hats[1] * (self.weights * e * A * A).sum(-1)
        s = hats[0] ** 2 * np.maximum(signal, 0) + hats[1] * noise
        return Weights(hats[0] * along[:, 0], s, (self.weights * e * A).sum(-1), norm2, np.ones_like(s))


ISOTROPIC = Spectrum(np.ones(1), np.ones(1), np.ones(1), 1.0)


@dataclass(frozen=True)
class ElasticNet:
    """Teacher weights W* of a mixture: probabilities, means and variances; e: variances of their inputs."""

    shares: Array = field(default_factory=lambda: np.ones(1))
    means: Array = field(default_factory=lambda: np.zeros(1))
    variances: Array = field(default_factory=lambda: np.ones(1))
    e: Array = field(default_factory=lambda: np.ones(1))
    rho: float = 1.0

    def update_weights(self, hats: Hats, l1: Array, l2: Array) -> Weights:
        e, mean, variance = self.e, self.means, self.variances
        m_hat, q_hat, V_hat, l1, l2 = (a[:, None] for a in (*hats, l1, l2))
        scale, width = 1 / (V_hat * e + l2), np.sqrt((m_hat * e) ** 2 * variance + q_hat * e)
        right, left = (m_hat * e * mean - l1) / width, (-m_hat * e * mean - l1) / width
        fraction = Phi(right) + Phi(left)
        along = mean * width * (G(right) - G(left)) + variance * m_hat * e * fraction
        m = (scale * along) @ (self.shares * e)
        known = (self.shares * e) @ (mean**2 + variance)
        # Given B = m_hat e mean + width t, ratio W* is ratio mean + slope t with this variance.
        ratio = m[:, None] / known
        slope, rest = ratio * variance * m_hat * e / width, ratio**2 * variance * q_hat * e / width**2
        rise = scale * width - slope
        square = rest + _square_of_zeros(ratio * mean, slope, left, -right)
        square += _square_beyond(rise, slope * right - ratio * mean, right)
        square += _square_beyond(rise, slope * left + ratio * mean, left)
        s = square @ (self.shares * e) + m * m * (1 / known - 1 / self.rho)
        V, norm2 = (scale * fraction) @ (self.shares * e), (scale * width) ** 2 * (G2(right) + G2(left))
        return Weights(m, s, V, norm2 @ self.shares, fraction @ self.shares)


def _square_beyond(rise: Array, shift: Array, end: Array) -> Array:
    """<(rise (t + end) + shift)^2> over t > -end: W - m W* on one side of the soft threshold."""
    tail = rise**2 * G2(end) + 2 * rise * shift * G(end) + shift**2 * Phi(end)
    # Where most of the law is beyond, by the moments of t: the terms above cancel.
    near, edge = rise * end + shift, phi(end)
    whole = rise**2 * (Phi(end) - end * edge) + 2 * rise * near * edge + near**2 * Phi(end)
    return np.asarray(np.where(end > 0, whole, tail))


def _square_of_zeros(middle: Array, slope: Array, low: Array, high: Array) -> Array:
    """<(middle + slope t)^2> over the t for which W = 0: a difference of two tails would lose digits."""
    ends = np.clip(np.stack([low, low + (high - low) / 2, high], axis=-1), -REACH, REACH)
    t, weight = panel_quadrature(ends, 32)
    return np.asarray((weight * phi(t) * (middle[..., None] + slope[..., None] * t) ** 2).sum(-1))


PRIORS = {"gauss": 0, "sparse": 1, "binary": 0}


def find_prior(prior: Any) -> ElasticNet:
    """The prior of a name: 'gauss', 'sparse(d)' (a share d of Gaussian weights, others zero), 'binary'."""
    name, numbers = read_call(prior) if isinstance(prior, str) else (str(prior), [])
    if name not in PRIORS or len(numbers) != PRIORS[name]:
        near = suggestion_text(name, PRIORS)
        raise ValueError(f"There is no prior {prior!r}.{near} Known: 'gauss', 'sparse(0.1)', 'binary'.")
    if name == "binary":
        return ElasticNet(np.full(2, 0.5), np.array([1.0, -1.0]), np.zeros(2))
    if name == "sparse":
        d = numbers[0]
        if not 0 < d <= 1:
            raise ValueError(f"The share of non-zero weights must lie in (0, 1], not {d:g}.")
        return ElasticNet(np.array([d, 1 - d]), np.zeros(2), np.array([1 / d, 0.0]))
    return ElasticNet()


def read_penalty(penalty: Any) -> tuple[Array, Array]:
    """l1 and l2 of a penalty: a number is l2; a mapping has l1, l2, or gamma = 1/l2."""
    given = dict(penalty) if isinstance(penalty, Mapping) else {"l2": 0.0 if penalty is None else penalty}
    unknown = set(given) - {"l1", "l2", "gamma"}
    if unknown or {"l2", "gamma"} <= set(given):
        raise ValueError(f"penalty has the keys l1 and l2, or gamma = 1/l2, not {sorted(given)}.")
    if "gamma" in given:
        with np.errstate(divide="ignore"):
            given["l2"] = 1 / np.asarray(given["gamma"], dtype=float)
    l1, l2 = (np.asarray(given.get(key, 0.0), dtype=float) for key in ("l1", "l2"))
    if not ((l1 >= 0) & np.isfinite(l1)).all() or not ((l2 >= 0) & np.isfinite(l2)).all():
        raise ValueError("l1 and l2 must be numbers, at least 0.")
    return l1, l2
