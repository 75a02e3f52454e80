"""Room for one set after the other: the data, where the search is, who is active, the matrices."""

from collections import namedtuple

import numpy as np

from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.lab.scenarios.storage.single._lines import dot
from markone.lab.scenarios.storage.single._normal import BLOCK
from markone.lab.scenarios.storage.single._sums import WIDTH
from markone.numerics.compiling import piece

# Inputs as whole numbers; over 2^20, which float32 holds exactly, in rows of V vectors; |z|^2.
Data = namedtuple("Data", "whole Z squares V")
# Weights, their potentials, a direction, what it does to them, the slope and the one before. The places of E
# behind the last example stay above 1.
Place = namedtuple("Place", "w E d dE g old")
# Lists of examples and numbers for them; those with E < 1 at the last step, and who came and went.
Active = namedtuple("Active", "rows r inside entered left x values")
# H and R^T R = H + shift, a block of rows, the inverse pivots, and two vectors.
Matrices = namedtuple("Matrices", "H R rows inverse d g")


@piece
def aligned(n):
    """Zeros, from the beginning of a line of the cache on: a vector from two lines takes twice as long."""
    room = np.zeros(n + WIDTH, np.float32)
    first = -room.ctypes.data % 64 // 4
    return room[first : first + n]


@piece
def silence(data, E):
    """Nobody is behind the last example."""
    for mu in range(data.whole.shape[0], E.shape[0]):
        E[mu] = np.float32(2.0)


@piece
def rooms(P, N):
    V, places = (N + WIDTH) // WIDTH, (P + WIDTH - 1) // WIDTH * WIDTH
    M = V * WIDTH
    data = Data(np.empty((P, N), np.int32), aligned(places * M), aligned(places), V)
    place = Place(aligned(M), aligned(places), aligned(M), aligned(places), aligned(M), aligned(M))
    silence(data, place.E)
    # One place more: whoever counts writes first and counts then.
    rows, r, inside = np.empty(places + 1, np.int64), aligned(places + 1), np.empty(P, np.bool_)
    entered, left = np.empty(P + 1, np.int64), np.empty(P + 1, np.int64)
    active = Active(rows, r, inside, entered, left, np.empty(P), np.empty(N))
    single = Matrices(aligned(M * M), aligned(M * M), aligned(BLOCK * M), aligned(M), aligned(M), aligned(M))
    return data, place, active, single, in_double(V)


@piece
def in_double(V):
    """Matrices in float64."""
    M = V * WIDTH
    return Matrices(
        np.zeros(M * M), np.zeros(M * M), np.zeros(BLOCK * M), np.zeros(M), np.zeros(M), np.zeros(M)
    )


@piece
def take(seed, number, state, data, place):
    """Draw a set; w = 0."""
    whole, Z, V = data.whole, data.Z, data.V
    unit = np.float32(1.0 / UNITS)
    draw_set(seed, number, state, whole)
    for mu in range(whole.shape[0]):
        row = Z[mu * V * WIDTH :]
        for j in range(whole.shape[1]):
            row[j] = np.float32(whole[mu, j]) * unit
        data.squares[mu] = dot(Z, mu * V, Z, mu * V, V)
        place.E[mu] = 0
    for j in range(place.w.shape[0]):
        place.w[j] = 0
