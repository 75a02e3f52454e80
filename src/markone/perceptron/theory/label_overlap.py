"""The law of c = u.y/|u|: u Gaussian in P dimensions, y = sign(u), flipped with the probability `noise`.

|u| and c are independent, so that E[c^k] = E[(u.y)^k]/E[|u|^k]: all moments are known. They are computed with
DIGITS digits, in which the Gauss rule of n nodes follows from 2n moments without loss.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from markone.numerics.arrays import Array

DIGITS = 300
NODES = 32
# Polynomials in the density of c, and nodes on each side of c = 0.
TERMS, SIDE = 16, 48
# Above so many examples the density has the exact mean and variance only.
MANY = 1000
PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
    "2148086513282306647093844609550582231725359408128481117450284102701938521105559644622948954930381964428"
    "8109756659334461284756482337867831652712019091456485669234603486104543266482133936072602491412737245870"
)
Rule = tuple[Array, Array]


def label_overlap_rule(P: int, noise: float, smooth: bool) -> Rule:
    """Nodes and weights for means over c; `smooth`: of functions that are smooth at c = 0."""
    if P == 1:
        return np.array([1.0, -1.0]), np.array([1 - noise, noise])
    if P == 2:
        return _two_examples(noise)
    kept = math.sqrt(2 / math.pi) * (1 - 2 * noise)
    if P > MANY:
        mean, variance = kept * (math.sqrt(P) + 0.25 / math.sqrt(P)), 1 - kept**2 * (1.5 + 0.125 / P)
        return _density_rule(P, noise, mean, variance, None)
    gauss = _gauss_rule(P, noise)
    if smooth or noise == 0:
        return gauss
    mean = float(gauss[1] @ gauss[0])
    return _density_rule(P, noise, mean, float(gauss[1] @ (gauss[0] - mean) ** 2), gauss)


def _two_examples(noise: float) -> Rule:
    """The angle of u and y is uniform in (0, pi/4), (pi/4, 3 pi/4) or (3 pi/4, pi) for 0, 1, 2 flips."""
    x, w = np.polynomial.legendre.leggauss(NODES)
    angle = np.concatenate([np.pi / 8 * (1 + x), np.pi / 4 * (2 + x), np.pi / 8 * (7 + x)])
    chance = [(1 - noise) ** 2, 2 * noise * (1 - noise), noise**2]
    return math.sqrt(2) * np.cos(angle), np.kron(chance, w / 2)


def _moments(P: int, noise: float) -> list[Decimal]:
    """E[c^k] for k <= 2 NODES, in the current precision."""
    keep, K = 1 - 2 * Decimal(noise), 2 * NODES
    one = [Decimal(1), (2 / PI).sqrt()]  # E[|u_1|^k]
    length = [Decimal(1), one[1] if P % 2 else (PI / 2).sqrt()]  # E[|u|^k]
    for p in range(2 - P % 2, P, 2):
        length[1] *= Decimal(p + 1) / p
    for k in range(2, K + 1):
        one.append(one[k - 2] * (k - 1))
        length.append(length[k - 2] * (P + k - 2))
    series = [m * (keep if k % 2 else 1) / math.factorial(k) for k, m in enumerate(one)]
    power = [Decimal(1)]  # the series to the power P
    for k in range(1, K + 1):
        power.append(sum((P * j - k + j) * series[j] * power[k - j] for j in range(1, k + 1)) / Decimal(k))
    return [power[k] * math.factorial(k) / length[k] for k in range(K + 1)]


def _gauss_rule(P: int, noise: float) -> Rule:
    """Gauss rule of NODES nodes by Chebyshev's algorithm."""
    with localcontext() as context:
        context.prec = DIGITS
        new = _moments(P, noise)[:-1]
        old = [Decimal(0)] * len(new)
        a, b = [new[1]], [Decimal(0)]
        for k in range(1, NODES):
            last, old = old, new
            new = [Decimal(0)] * len(old)
            for j in range(k, len(old) - k):
                new[j] = old[j + 1] - a[-1] * old[j] - b[-1] * last[j]
            a.append(new[k + 1] / new[k] - old[k] / old[k - 1])
            b.append(new[k] / old[k - 1])
    side = np.sqrt(np.array(b[1:], dtype=float))
    nodes, vectors = np.linalg.eigh(np.diag(np.array(a, dtype=float)) + np.diag(side, 1) + np.diag(side, -1))
    return nodes, vectors[0] ** 2


def _density_rule(P: int, noise: float, mean: float, variance: float, gauss: Rule | None) -> Rule:
    """Nodes on both sides of c = 0 and the density: Beta times polynomials with the moments of `gauss`."""
    low, high = (1.0 if noise == 0 else -math.sqrt(P)), math.sqrt(P)
    m, v = (mean - low) / (high - low), variance / (high - low) ** 2
    p, q = m * (m * (1 - m) / v - 1), (1 - m) * (m * (1 - m) / v - 1)
    first, last = max(low, mean - 8 * math.sqrt(variance)), min(high, mean + 8 * math.sqrt(variance))
    edges = [first, 0.0, last] if first < 0 < last else [first, last]
    x, w = np.polynomial.legendre.leggauss(SIDE)
    half = np.diff(edges)[:, None] / 2
    # Sines resolve the ends of the interval.
    c = (np.array(edges[:-1])[:, None] + half * (1 + np.sin(np.pi / 2 * x))).ravel()
    t = (c - low) / (high - low)
    density = (p - 1) * np.log(t / m) + (q - 1) * np.log((1 - t) / (1 - m))
    weight = (half * w * np.cos(np.pi / 2 * x)).ravel() * np.exp(density - density.max())
    weight /= weight.sum()
    if gauss is not None:
        known = 2 * (gauss[0] - low) / (high - low) - 1
        weight *= (_beta_polynomials(known, p, q) @ gauss[1]) @ _beta_polynomials(2 * t - 1, p, q)
    return c, weight


def _beta_polynomials(x: Array, p: float, q: float) -> Array:
    """Jacobi polynomials, orthonormal under the density of 2 Beta(p, q) - 1, at x."""
    k, s = np.arange(1, TERMS), p + q - 2
    n = 2 * k + s
    a = np.append((p - q) / (p + q), (p - q) * s / (n * (n + 2)))
    b = 4 * k * (k + q - 1) * (k + p - 1) * (k + s) / (n * n * (n * n - 1))
    b[0] = 4 * p * q / ((p + q) ** 2 * (p + q + 1))
    b = np.sqrt(b)
    found = [np.ones_like(x), (x - a[0]) / b[0]]
    for i in range(1, TERMS - 1):
        found.append(((x - a[i]) * found[i] - b[i - 1] * found[i - 1]) / b[i])
    return np.array(found)
