"""The grandmother unit: it says -1 to one example, or to a family of neighbours, and +1 to all others.

(4.10-4.14), the guarantee that a grown parity machine loses at least one error with each unit. The notes need
inputs of equal length, Gamma = |xi|^2; for others the unit gets |xi|^2/2 as one more input, on which
distinct vectors are the corners of a convex body again. (4.12) must be read as delta < Gamma - max xi . xi'.
"""

import numpy as np

from markone.machines._families import largest_family
from markone.machines.units import Layer
from markone.numerics.arrays import Array

# Lengths equal to this fraction are equal; a gap in (4.12) below it may be lost in the rounding of w . xi.
EQUAL = 1e-12
GAP = 1e-9


def grandmother(X: Array, wrong: Array, scale: float = 1.0) -> Layer | None:
    """One unit with sigma = -1 on some wrong examples, as many as a sphere can hold, and on no right one.

    None if every wrong example coincides with a right one.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    mu, members, inside, outside = largest_family(X, np.asarray(wrong, dtype=bool))
    if members == 0:
        return None
    if not np.isfinite(outside):
        return constant(X.shape[1], -1, scale)
    centre = X[mu][None, :]
    # |xi - xi'|^2 = 2 (Gamma - xi . xi'): delta half-way between family and strangers.
    delta = 0.25 * (inside + outside)
    Gamma = (X**2).sum(axis=1)
    if np.ptp(Gamma) <= EQUAL * Gamma[mu] and outside - inside > GAP * Gamma[mu]:
        return Layer.of_perceptrons(-centre, np.array([delta - Gamma[mu]]), scale)
    radius = 0.5 * (np.sqrt(inside) + np.sqrt(outside))
    theta = 0.5 * (radius**2 - Gamma[mu])
    return Layer(-centre, np.array([theta]), np.array([radius]), scale)


def constant(N: int, sigma: int, scale: float = 1.0) -> Layer:
    """A unit that says the same to everybody."""
    return Layer.of_perceptrons(np.zeros((1, N)), np.array([-float(sigma)]), scale)
