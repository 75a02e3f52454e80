"""What both bounds on the stability of a dense set are made of; `bounds.py` rounds them outwards.

The same numbers as `bounds.from_below` and `bounds.from_above` have, for sets so small that numpy and Python
would take longer than the proof. NaN stands where they would have to look more closely.
"""

import math

from markone.numerics.compiling import proof_part
from markone.perceptron.certificates._dots import add_row, dot_of_row
from markone.perceptron.certificates._roundings import U, error_of, one_more

# Numbers in between have products and powers of two around them that are exact.
LEAST, MOST = 1e-250, 1e250


@proof_part
def power_of(v):
    """2^e with the largest |v| in 2^e [1/2, 1), NaN if it is no ordinary number. Whatever is NaN may not count."""
    top = 0.0
    for i in range(v.shape[0]):
        size = abs(v[i])
        top = top if size <= top else size
    return math.ldexp(1.0, math.frexp(top)[1]) if LEAST < top < MOST else math.nan


@proof_part
def sum_of_squares(v, unit):
    """sum (v / unit)^2, the squares rounded, their sum as if in twice the digits."""
    total, rest, size = 0.0, 0.0, 0.0
    for i in range(v.shape[0]):
        one = v[i] / unit
        total, rest, size = one_more(one * one, 1.0, total, rest, size)
    return total + rest


@proof_part
def figures_of_weights(xi, S, scale, w, v, out):
    """out[:4] = min (E - error), min (E + error), |v|^2 over the square of a unit, that unit.

    E = S v . (scale xi) for v = w times the power of two that brings it to about one.
    """
    out[0] = out[1] = math.nan
    unit = power_of(w)
    same = True
    for j in range(w.shape[0]):
        v[j] = w[j] / unit
        same = same and v[j] * unit == w[j]
    if not same:
        return
    least, most = math.inf, math.inf
    for mu in range(S.shape[0]):
        value, terms, amount = dot_of_row(xi, mu, scale, v)
        E, error = S[mu] * value, error_of(value, terms, amount)
        if not abs(E) + error < math.inf:
            return
        least = least if least <= E - error else E - error
        most = most if most <= E + error else E + error
    out[2], out[3] = sum_of_squares(v, 0.5), 0.5
    out[0], out[1] = least, most


@proof_part
def figures_of_strengths(xi, S, scale, x, room, out):
    """out[4:] = sum x, |g|^2 over the square of a unit, that unit: g = sum x S (scale xi), its error added.

    x is taken over a power of two; what is not above zero is left out. room: three arrays of N numbers.
    """
    g, low, size = room[0], room[1], room[2]
    out[4] = math.nan
    unit = 0.5 * power_of(x)
    for j in range(g.shape[0]):
        g[j] = low[j] = size[j] = 0.0
    terms, total, rest, amount = 0, 0.0, 0.0, 0.0
    for mu in range(x.shape[0]):
        if x[mu] > 0.0:
            strength = x[mu] / unit
            add_row(xi, mu, strength * S[mu], scale, g, low, size)
            total, rest, amount = one_more(strength, 1.0, total, rest, amount)
            terms += 1
    for j in range(g.shape[0]):
        g[j] += low[j]
        g[j] = (abs(g[j]) + error_of(g[j], terms, size[j])) * (1.0 + 2.0 * U)
    unit = 0.5 * power_of(g)
    out[4], out[5], out[6] = total + rest, sum_of_squares(g, unit), unit
