"""Where a loss is not smooth: kinks, jumps of its curvature, and panels between which it is smooth.

Every cell of a grid on which a jump of l' or l'' persists is bisected.
"""

from collections.abc import Callable, Sequence

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import panel_quadrature

# Losses are searched for kinks up to here; edges next to poles like those of the logistic.
FARTHEST, CELLS = 1e4, 2401
POLES = (-40.0, -16.0, -7.0, -2.5, 0.0, 2.5, 7.0, 16.0, 40.0)
# Panels of a loss between its edges are halved so often, to find breaks more often, and are at most so many.
HALVINGS, DEEPEST, MOST_PANELS = 10, 26, 60

Derivatives = Callable[[Array], tuple[Array, Array, Array]]
# (position, l' left, l' right)
Kinks = tuple[tuple[float, float, float], ...]


def find_breaks(
    derivatives: Derivatives, kinks: Sequence[float], edges: Sequence[float]
) -> tuple[Kinks, tuple[float, ...]]:
    """Kinks, those given and those found by scanning l', and edges: those given and the breaks of l''."""
    slopes = find_jumps(lambda x: derivatives(x)[1])
    breaks = find_jumps(lambda x: derivatives(x)[2])
    given = [(k, *derivatives(np.array([k - 1e-9, k + 1e-9]))[1]) for k in kinks]
    known = [(float(k), float(a), float(b)) for k, a, b in given]
    known += [one for one in slopes if all(abs(one[0] - k) > 1e-6 for k in kinks)]
    found = {*edges, *POLES, *(position for position, _, _ in breaks)}
    found |= set(_find_panels(derivatives, [*sorted(found | {k for k, _, _ in known})]))
    return tuple(sorted(known)), tuple(sorted(found))


def _find_panels(derivatives: Derivatives, edges: Sequence[float]) -> list[float]:
    """Edges between which l'' is smooth: cells whose integral of l'' 10 nodes do not give are halved.

    Cells that stay rough hold a break of a higher derivative; only its position is kept.
    """
    low, high = np.array([*edges[:-1]]), np.array([*edges[1:]])
    added: list[float] = []
    for k in range(DEEPEST):
        middle = 0.5 * (low + high)
        halves = np.stack([low, middle, high], axis=-1)
        sums = []
        for cells in (halves[:, ::2], halves):
            x, weight = panel_quadrature(cells, 10)
            with np.errstate(all="ignore"):
                sums.append((weight * derivatives(x)[2]).sum(-1))
        rough = np.abs(sums[0] - sums[1]) > 1e-9 * (1e-3 * (high - low) + np.abs(sums[1]))
        if not rough.any() or rough.sum() + len(added) > MOST_PANELS:
            break
        if k < HALVINGS:
            added += middle[rough].tolist()
        halves = np.concatenate([halves[rough, :2], halves[rough, 1:]])
        low, high = halves[:, 0], halves[:, 1]
    return added + _round_positions(0.5 * (low + high)).tolist() * (k >= HALVINGS)


def _round_positions(x: Array) -> Array:
    """Positions of breaks, at a round number if that is as near as they are known."""
    near = np.round(x, 6)
    return np.where(np.abs(near - x) < 1e-7, near, x)


def find_jumps(function: Callable[[Array], Array]) -> list[tuple[float, float, float]]:
    """(x, f left, f right) of the jumps of f: every cell is halved towards the larger change."""
    # Edges of cells that are no round numbers, where jumps usually are.
    edges = np.sinh(np.linspace(-1, 1, CELLS) * np.arcsinh(FARTHEST)) + 0.00123456789
    low, high = edges[:-1].copy(), edges[1:].copy()
    with np.errstate(all="ignore"):
        f_low, f_high = function(low), function(high)
        for _ in range(46):
            middle = 0.5 * (low + high)
            f = function(middle)
            left = np.abs(f - f_low) > np.abs(f_high - f)
            high, f_high = np.where(left, middle, high), np.where(left, f, f_high)
            low, f_low = np.where(left, low, middle), np.where(left, f_low, f)
        found = np.flatnonzero(np.abs(f_high - f_low) > 1e-7 * (1 + np.abs(f_low)))
    if found.size > 20:
        raise ValueError(f"The loss has {found.size} kinks; at most 20 are allowed.")
    # A jump at a round number is reported there.
    at = [
        min((round(low[k], 6), 0.5 * (low[k] + high[k])), key=lambda x: abs(x - high[k]) > 2e-13)
        for k in found
    ]
    return [(float(x), float(f_low[k]), float(f_high[k])) for x, k in zip(at, found, strict=True)]
