"""The normal law: phi, Phi, H = 1 - Phi, their ratio without loss in the tails, and quadrature.

Everything is elementwise. Relative accuracy is about 1e-14 on the whole line as long as the value itself
can be represented.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from markone.numerics.arrays import Array

SQRT2 = np.sqrt(2.0)
SQRT2PI = np.sqrt(2.0 * np.pi)
# Beyond this many standard deviations the normal density has lost 1e-17 of its mass.
REACH = 8.6


def phi(x: ArrayLike) -> Array:
    """Standard normal density exp(-x^2/2)/sqrt(2 pi)."""
    x = np.asarray(x, dtype=float)
    return np.exp(-0.5 * x * x) / SQRT2PI


def Phi(x: ArrayLike) -> Array:
    """Standard normal distribution function."""
    return special.ndtr(x)


def H(x: ArrayLike) -> Array:
    """Upper tail 1 - Phi(x) = Phi(-x)."""
    return special.ndtr(-np.asarray(x, dtype=float))


def mills_ratio(x: ArrayLike) -> Array:
    """H(x)/phi(x): 1/x far to the right, infinite where phi underflows on the left (x < -37)."""
    return SQRT2PI / 2 * special.erfcx(np.asarray(x, dtype=float) / SQRT2)


def _tail_ratio(n: int, x: Array) -> Array:
    """r_n = I_n/I_(n-1) for I_n = int_x^inf Dt (t-x)^n and x >= 3.

    I_(n+1) = n I_(n-1) - x I_n, of which I_n is the minimal solution: recurred downwards,
    r_n = n/(x + r_(n+1)), the error dies out.
    """
    r = np.zeros_like(x)
    for m in range(n + 60, n - 1, -1):
        r = m / (x + r)
    return r


def G(k: ArrayLike) -> Array:
    """int_(-k)^inf Dt (t+k) = k Phi(k) + phi(k), the integral of Phi; G(k) - G(-k) = k."""
    k = np.asarray(k, dtype=float)
    with np.errstate(invalid="ignore"):
        value = np.asarray(k * Phi(k) + phi(k))
    far = k < -3  # the two terms cancel
    if far.any():
        value[far] = Phi(k[far]) * _tail_ratio(1, -k[far])
    return value


def G2(k: ArrayLike) -> Array:
    """int_(-k)^inf Dt (t+k)^2 = (1+k^2) Phi(k) + k phi(k)."""
    k = np.asarray(k, dtype=float)
    # phi is zero beyond 40; inf * 0 would not be.
    with np.errstate(invalid="ignore"):
        value = np.asarray((1 + k * k) * Phi(k) + np.clip(k, -40, 40) * phi(k))
    far = k < -3
    if far.any():
        value[far] = Phi(k[far]) * _tail_ratio(1, -k[far]) * _tail_ratio(2, -k[far])
    return value


@cache
def gauss_legendre(n: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre quadrature on [-1, 1]."""
    return _make_read_only(*np.polynomial.legendre.leggauss(n))


@cache
def trapezoid_rule(n: int) -> tuple[Array, Array]:
    """Equidistant nodes for int Dt f(t) on the whole line.

    The trapezoidal rule converges exponentially there, and unlike Gauss-Hermite it does not require that f is
    well approximated by one polynomial: better for ratios of Gaussian functions.
    """
    t = np.linspace(-REACH, REACH, n)
    return _make_read_only(t, phi(t) * (t[1] - t[0]))


def _make_read_only(t: Array, weight: Array) -> tuple[Array, Array]:
    t.setflags(write=False)
    weight.setflags(write=False)
    return t, weight


def panel_quadrature(edges: Array, n: int) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on every interval between neighbours of edges (..., m).

    Returns two arrays (..., (m-1) n). Empty intervals get zero weight.
    """
    t, weight = gauss_legendre(n)
    middle = 0.5 * (edges[..., 1:] + edges[..., :-1])[..., None]
    half = 0.5 * np.maximum(edges[..., 1:] - edges[..., :-1], 0.0)[..., None]
    shape = (*edges.shape[:-1], (edges.shape[-1] - 1) * n)
    return (middle + half * t).reshape(shape), (half * weight).reshape(shape)
