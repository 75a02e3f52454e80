"""Averages over a Gaussian field e that learning moves to E = argmin l(E) + (E - e)^2/(2 V).

The integrals run over E, in which everything is explicit: e = E + V l'(E), de = (1 + V l'') dE. Each kink
k adds the flat stretch e = k + V [l'(k-), l'(k+)], on which E = k.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature
from markone.perceptron.theory.engine.losses import Loss

IntArray = NDArray[np.int64]

# Edges of panels in units of the reach of a Gaussian.
TURN = np.array([-1.0, -0.4, -0.12, 0.12, 0.4, 1.0])


@dataclass(frozen=True)
class FieldNodes:
    """Nodes (rows, n): field e before, E after, v = -l', stiffness = l''/(1 + V l'') and weights de.

    Every row is a panel of one of the m problems: that of the same row in `problem`.
    """

    problem: IntArray
    m: int
    e: Array
    E: Array
    v: Array
    stiffness: Array
    de: Array

    def integrate_density(self, density: Array, *factors: Array) -> Array:
        """Integrals (m,) of the density times the factors."""
        row = self.de * density
        for factor in factors:
            row = row * factor
        row = row.sum(-1)
        return np.bincount(self.problem, row, self.m)


def gaussian_edges(mean: Array, width: Array) -> Array:
    """Edges (m, 6) around a Gaussian or a smoothed step."""
    return mean[:, None] + REACH * width[:, None] * TURN


def move_field(loss: Loss, e: Array, V: Array, accuracy: Array) -> Array:
    """E with E + V l'(E) = e up to `accuracy` in e: Newton's method in the bracket of a table of l'."""
    shape = np.broadcast_shapes(e.shape, V.shape)
    e, V, accuracy = (np.broadcast_to(a, shape).ravel() for a in (e, V, accuracy))
    grid, slopes = loss.table
    low_cell, high_cell = np.zeros(e.size, dtype=int), np.full(e.size, grid.size - 1)
    for _ in range(int(np.ceil(np.log2(grid.size)))):
        middle = (low_cell + high_cell) // 2
        below = grid[middle] + V * slopes[middle] <= e
        low_cell, high_cell = np.where(below, middle, low_cell), np.where(below, high_cell, middle)
    low, high = grid[low_cell], grid[high_cell]
    gap = e - low - V * slopes[low_cell]
    # Exact between breaks of a piecewise quadratic loss.
    E = low + np.clip(gap / (high - low + V * (slopes[high_cell] - slopes[low_cell])), 0, 1) * (high - low)
    E = np.where(np.isfinite(E), E, 0.5 * (low + high))
    found, open_ = E.copy(), np.arange(e.size)
    accuracy = np.maximum(accuracy, 1e-14 * np.abs(e))
    for _ in range(100):
        _, slope, curvature = loss.derivatives(E)
        value = E + V * slope - e
        low, high = np.where(value <= 0, E, low), np.where(value > 0, E, high)
        found[open_] = E
        go = (np.abs(value) >= accuracy) & (high - low >= 1e-12 * (1 + np.abs(E)))
        if not go.any():
            break
        step = E - value / (1 + V * curvature)
        E = np.where((step > low) & (step < high), step, 0.5 * (low + high))[go]
        open_, e, V, accuracy, low, high = (a[go] for a in (open_, e, V, accuracy, low, high))
    return found.reshape(shape)


def field_nodes(loss: Loss, V: Array, edges: Array, n: int) -> FieldNodes:
    """Nodes for the field between the first and last edge (m, j) of e, edges sorted; V is (m,)."""
    V = V[:, None]
    if loss.pieces:
        return _piecewise_nodes(loss, V, edges, n)
    steps = np.diff(edges, axis=-1)
    width = 0.01 * np.min(steps, axis=-1, keepdims=True, initial=np.inf, where=steps > 0)
    ends = move_field(loss, edges, V, np.minimum(width, 0.05))
    fixed = np.array([0.0, *loss.edges, *(k for k, _, _ in loss.kinks)])
    fixed = np.clip(fixed, ends[:, :1], ends[:, -1:])
    problem, E, dE = _fill_panels(np.sort(np.concatenate([ends, fixed], axis=-1), axis=-1), n)
    _, slope, curvature = loss.derivatives(E)
    here = V[problem]
    rise = 1 + here * curvature
    parts = [(problem, E + here * slope, E, -slope, curvature / rise, rise * dE)]
    for k, left, right in loss.kinks:
        # Clipped to the range of the field: beyond it (k - e)/V would be large where the density ends.
        low, high = (np.clip(k + V * slope, edges[:, :1], edges[:, -1:]) for slope in (left, right))
        problem, e, de = _fill_panels(np.concatenate([low, np.clip(edges, low, high), high], axis=-1), n)
        here = V[problem]
        parts.append((problem, e, np.full_like(e, k), (k - e) / here, np.broadcast_to(1 / here, e.shape), de))
    problem, *arrays = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return FieldNodes(problem, len(V), *arrays)


def _piecewise_nodes(loss: Loss, V: Array, edges: Array, n: int) -> FieldNodes:
    """Of a piecewise quadratic loss: explicit in e, also where V is so large that E is rounded."""
    m, starts = len(V), [(start, slope) for start, slope, *_ in loss.pieces[1:]]
    marks = [np.clip(E + V * slope, edges[:, :1], edges[:, -1:]) for E, slope in (*starts, *loss.zero)]
    problem, e, de = _fill_panels(np.sort(np.concatenate([edges, *marks], axis=-1), axis=-1), n)
    V = V[problem]
    E, v, stiffness = (np.zeros_like(e) for _ in range(3))
    for start, left, anchor, slope, bent in loss.pieces:
        rise = 1 + V * bent
        away = (e - anchor - V * slope) / rise
        here = slice(None) if start == -np.inf else e > start + V * left
        for values, new in ((E, anchor + away), (v, -slope - bent * away), (stiffness, bent / rise)):
            values[here] = np.broadcast_to(new, e.shape)[here]
    return FieldNodes(problem, m, e, E, v, stiffness, de)


def _fill_panels(edges: Array, n: int) -> tuple[IntArray, Array, Array]:
    """Problem, nodes and weights of the panels between neighbours of edges (m, j) that are not empty."""
    low, high = edges[:, :-1], edges[:, 1:]
    # Of an edge that is not a number the integrals are none.
    kept = ~(high <= low)
    return np.nonzero(kept)[0], *panel_quadrature(np.stack([low[kept], high[kept]], axis=-1), n)
