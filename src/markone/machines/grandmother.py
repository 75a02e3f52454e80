"""The grandmother unit (4.10-4.14): output -1 for one example and its wrong neighbours, +1 for all others.

It guarantees that a grown parity machine loses at least one error with each unit. The notes need inputs of
equal length, Gamma = |xi|^2; for others the unit gets |xi|^2/2 as an additional input, with which distinct
vectors are vertices of a convex body again. (4.12) must be read as delta < Gamma - max xi . xi'.
"""

import numpy as np

from markone.machines._spheres import largest_family
from markone.machines.units import Layer
from markone.numerics.arrays import Array

# Relative tolerance of equal lengths; a relative gap in (4.12) below GAP may be lost by rounding w . xi.
EQUAL = 1e-12
GAP = 1e-9


def grandmother_unit(X: Array, wrong: Array, scale: float = 1.0) -> Layer | None:
    """One unit with sigma = -1 on as many wrong examples as one sphere can contain, and on no correct one.

    None if every wrong example coincides with a correct one.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    mu, members, inside, outside = largest_family(X, np.asarray(wrong, dtype=bool))
    if members == 0:
        return None
    if not np.isfinite(outside):
        return constant_unit(X.shape[1], -1, scale)
    centre = X[mu][None, :]
    # |xi - xi'|^2 = 2 (Gamma - xi . xi'): delta half-way between the members and the others.
    delta = 0.25 * (inside + outside)
    Gamma = (X**2).sum(axis=1)
    if np.ptp(Gamma) <= EQUAL * Gamma[mu] and outside - inside > GAP * Gamma[mu]:
        return Layer.of_perceptrons(-centre, np.array([delta - Gamma[mu]]), scale)
    radius = 0.5 * (np.sqrt(inside) + np.sqrt(outside))
    theta = 0.5 * (radius**2 - Gamma[mu])
    return Layer(-centre, np.array([theta]), np.array([radius]), scale)


def constant_unit(N: int, sigma: int, scale: float = 1.0) -> Layer:
    """A unit with the same output for all inputs."""
    return Layer.of_perceptrons(np.zeros((1, N)), np.array([-float(sigma)]), scale)
