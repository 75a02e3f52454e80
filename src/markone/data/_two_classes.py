"""Two classes in the plane   (the LMS report).

The LMS report shows pictures and no generators. The four kinds follow its descriptions: `halo` and `dense`
can be separated by a line (two discs that do not touch), `arcs` and `rings` cannot, but by a curve
(Example 1, "dense" clusters with a "large" separation: two thin interlocked half circles; Example 2,
"sparse" with "little": a core and a ring around it, with a gap of 0.1). Coordinates are of order one
and the mean over both classes is zero.
"""

import math

import numpy as np

from markone.numerics._random import DATA, draw_uniform, seed_stream
from markone.numerics.compiling import entry, part

HALO, DENSE, ARCS, RINGS = 0, 1, 2, 3


@part
def draw_in_disc(state, radius):
    """A random point of a disc, uniform by area."""
    r, angle = radius * math.sqrt(draw_uniform(state)), 2.0 * math.pi * draw_uniform(state)
    return r * math.cos(angle), r * math.sin(angle)


@part
def draw_point(state, kind, S):
    """One point of class S = +-1."""
    if kind == HALO:
        # Centres (1, 1) and (-1, -1), radius 0.5.
        a, b = draw_in_disc(state, 0.5)
        return a + S, b + S
    if kind == DENSE:
        # The same centres, radius 1.3: the gap is 2 (sqrt 2 - 1.3) = 0.23.
        a, b = draw_in_disc(state, 1.3)
        return a + S, b + S
    if kind == ARCS:
        # Half circles of radius 1, shifted by -+(0.5, 0.25), each of thickness 0.3: the gap is 0.33.
        angle = math.pi * draw_uniform(state)
        r = 1.0 + 0.3 * (draw_uniform(state) - 0.5)
        return S * (r * math.cos(angle) - 0.5), S * (r * math.sin(angle) - 0.25)
    # A core of radius 0.9 and a ring from 1 to 2, by area.
    inner, outer = (0.0, 0.9) if S > 0.0 else (1.0, 2.0)
    r = math.sqrt(inner * inner + (outer * outer - inner * inner) * draw_uniform(state))
    angle = 2.0 * math.pi * draw_uniform(state)
    return r * math.cos(angle), r * math.sin(angle)


@entry
def fill_two_classes(seed, P, repeat, kind, X, S):
    """Rows (-1, x1, x2), so that w = (theta, w1, w2); the classes alternate."""
    state = np.empty(1, np.uint64)
    seed_stream(state, seed, 2, P, repeat, DATA)
    for mu in range(P):
        S[mu] = 1.0 if mu % 2 == 0 else -1.0
        X[mu, 0] = -1.0
        X[mu, 1], X[mu, 2] = draw_point(state, kind, S[mu])
