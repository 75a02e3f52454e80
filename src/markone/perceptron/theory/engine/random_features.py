"""Random features v = f(F x) as inputs, by Gaussian equivalence (Gerace et al. 2020).

F has rows of unit length and D columns. With k0 = <f>, k1 = <t f>, k* = sqrt(<f^2> - k0^2 - k1^2), t normal,
features behave as k1 F x + k* noise: e = k1^2 g + k*^2 and c^2 = k1^2 g/D for the eigenvalues g of F F',
whose law is that of Marchenko and Pastur. alpha counts examples per feature.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import gauss_legendre, panel_quadrature, phi
from markone.perceptron.theory.engine.formula import parse_formula
from markone.perceptron.theory.engine.penalties import Spectrum

NODES = 200


@dataclass(frozen=True)
class RandomFeatures:
    """Features of independent Gaussian inputs, on which the teacher acts.

    activation: tanh, erf, sign, relu, a formula in x, or a function. features_per_input: their number divided
    by that of the inputs. Features with a mean, such as relu's, are centred (or b is fitted).
    """

    activation: str | Callable[[Array], Any] = "tanh"
    features_per_input: float = 1.0

    def spectrum(self) -> Spectrum:
        ratio = float(self.features_per_input)
        if not 0 < ratio < np.inf:
            raise ValueError(f"features_per_input must be a positive number, not {ratio}.")
        k1, rest = self._moments()
        g, weight = _marchenko_pastur(ratio)
        return Spectrum(k1**2 * g + rest, k1**2 * g * weight * ratio, weight, 1.0)

    def _moments(self) -> tuple[float, float]:
        """k1 and k*^2."""
        t, weight = panel_quadrature(np.linspace(-10, 10, 41), 24)
        weight, f = weight * phi(t), _read_activation(self.activation)(t)
        k0, k1, square = (float((weight * one).sum()) for one in (f, t * f, f * f))
        if not np.isfinite(square) or abs(k1) < 1e-9 * np.sqrt(max(square, 1e-300)):
            raise ValueError(
                "The activation has no linear part, <t f(t)> = 0: its features have no correlation with "
                "the teacher's field."
            )
        return k1, max(square - k0**2 - k1**2, 0.0)


def _read_activation(activation: str | Callable[[Array], Any]) -> Callable[[Array], Array]:
    from scipy.special import erf

    if callable(activation):
        return lambda t: np.asarray(activation(t), dtype=float)
    named: dict[str, Callable[[Array], Array]] = {
        "tanh": np.tanh, "erf": erf, "sign": np.sign, "relu": lambda t: np.maximum(t, 0)
    }  # fmt: skip
    return named.get(activation) or (lambda t: parse_formula(str(activation), ("x",)).evaluate_jet(t)[0])


def _marchenko_pastur(ratio: float) -> tuple[Array, Array]:
    """Eigenvalues of F F' and their shares, for `ratio` rows per column; beyond one row some are zero."""
    low, high = (1 - np.sqrt(ratio)) ** 2, (1 + np.sqrt(ratio)) ** 2
    x, weight = gauss_legendre(NODES)
    # g = middle + half sin(angle): the square roots at both ends become smooth.
    angle = 0.5 * np.pi * x
    g = np.maximum(0.5 * (high + low) + 0.5 * (high - low) * np.sin(angle), 1e-300)
    width = 0.5 * (high - low) * np.cos(angle)
    share = 0.5 * np.pi * weight * width**2 / (2 * np.pi * ratio * g)
    share *= min(1.0, 1 / ratio) / share.sum()
    if ratio <= 1:
        return g, share
    return np.append(g, 0.0), np.append(share, 1 - 1 / ratio)
