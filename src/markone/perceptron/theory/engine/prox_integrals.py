"""Averages over a Gaussian field e that learning moves to E = argmin l(E) + (E - e)^2/(2 V).

The integrals run over E, in which everything is explicit: e = E + V l'(E), de = (1 + V l'') dE. Each kink
k adds the flat stretch e = k + V [l'(k-), l'(k+)], on which E = k.
"""

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature
from markone.perceptron.theory.engine.losses import Loss

# Edges of panels in units of the reach of a Gaussian.
TURN = np.array([-1.0, -0.4, -0.12, 0.12, 0.4, 1.0])


@dataclass(frozen=True)
class FieldNodes:
    """Nodes (m, n): field e before, E after, v = -l', stiffness = l''/(1 + V l'') and weights de."""

    e: Array
    E: Array
    v: Array
    stiffness: Array
    de: Array


def gaussian_edges(mean: Array, width: Array) -> Array:
    """Edges (m, 6) around a Gaussian or a smoothed step."""
    return mean[:, None] + REACH * width[:, None] * TURN


def move_field(loss: Loss, e: Array, V: Array, accuracy: Array) -> Array:
    """E with E + V l'(E) = e up to `accuracy` in e: Newton's method inside a bracket."""

    def residual(E: Array) -> tuple[Array, Array]:
        _, slope, curvature = loss.derivatives(E)
        return E + V * slope - e, 1 + V * curvature

    low, high = _bracket_field(residual, e)
    for k, left, right in loss.kinks:
        # At a kink the steps of Newton's method would end as bisection.
        flat = (e >= k + V * left) & (e <= k + V * right)
        low, high = np.where(flat, k, low), np.where(flat, k, high)
    E = 0.5 * (low + high)
    for _ in range(100):
        value, slope = residual(E)
        low, high = np.where(value <= 0, E, low), np.where(value > 0, E, high)
        if (np.isnan(value) | (np.abs(value) < accuracy) | (high - low < 1e-12 * (1 + np.abs(E)))).all():
            break
        step = E - value / slope
        E = np.where((step > low) & (step < high), step, 0.5 * (low + high))
    return E


def _bracket_field(residual, e: Array) -> tuple[Array, Array]:  # type: ignore[no-untyped-def]
    """E is between e and e - V l'(e), since l' rises; where that is far, by doubling steps from e."""
    start = residual(e)[0]
    near = np.abs(start) < 64
    sign, step = np.where(start < 0, 1.0, -1.0), np.ones_like(e)
    inner, outer = e.copy(), np.where(near, e - start, e + sign)
    for _ in range(200):
        short = ~near & (residual(outer)[0] * sign < 0)
        if not short.any():
            break
        inner, step = np.where(short, outer, inner), np.where(short, 2 * step, step)
        outer = np.where(short, outer + sign * step, outer)
    return np.minimum(inner, outer), np.maximum(inner, outer)


def field_nodes(loss: Loss, V: Array, edges: Array, n: int) -> FieldNodes:
    """Nodes for the field between the first and last edge (m, j) of e, edges sorted; V is (m,)."""
    V = V[:, None]
    width = 0.01 * (
        np.min(
            np.diff(edges, axis=-1), axis=-1, keepdims=True, initial=np.inf, where=np.diff(edges, axis=-1) > 0
        )
    )
    ends = move_field(loss, edges, V, np.minimum(width, 0.05))
    fixed = np.array([0.0, *loss.edges, *(k for k, _, _ in loss.kinks)])
    fixed = np.clip(fixed, ends[:, :1], ends[:, -1:])
    E, dE = panel_quadrature(np.sort(np.concatenate([ends, fixed], axis=-1), axis=-1), n)
    _, slope, curvature = loss.derivatives(E)
    rise = 1 + V * curvature
    parts = [(E + V * slope, E, -slope, curvature / rise, rise * dE)]
    for k, left, right in loss.kinks:
        # Clipped to the range of the field: beyond it (k - e)/V would be large where the density ends.
        low, high = (np.clip(k + V * slope, edges[:, :1], edges[:, -1:]) for slope in (left, right))
        e, de = panel_quadrature(np.concatenate([low, np.clip(edges, low, high), high], axis=-1), n)
        parts.append((e, np.full_like(e, k), (k - e) / V, np.broadcast_to(1 / V, e.shape), de))
    return FieldNodes(*(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True)))
