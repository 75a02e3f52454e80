"""Hidden units and the two fixed outputs: majority (4.7) and product (4.8).

While a machine learns, unit k sees the columns begin[k] .. end[k]-1 of `xi`, the last of them its clamped
input, if any. `W` (K, widest) holds its weights from the left.
"""

import math

import numpy as np

from markone.numerics.compiling import entry, piece

COMMITTEE, PARITY = 0, 1


@entry
def unit_fields(xi, mu, begin, end, W, h):
    """h_k = w^k . xi^mu"""
    for k in range(W.shape[0]):
        total = 0.0
        a = begin[k]
        for j in range(end[k] - a):
            total += W[k, j] * xi[mu, a + j]
        h[k] = total


@piece
def machine_output(kind, h):
    """The output of the machine, sign(0) = +1 (1.5)."""
    if kind == COMMITTEE:
        votes = 0
        for k in range(h.shape[0]):
            votes += 1 if h[k] >= 0.0 else -1
        return 1.0 if votes >= 0 else -1.0
    product = 1.0
    for k in range(h.shape[0]):
        if h[k] < 0.0:
            product = -product
    return product


@piece
def median_field(S, h, buffer):
    """The median of S h_k, K odd: positive if and only if the majority is correct. `buffer` is of size K."""
    K = h.shape[0]
    for k in range(K):
        value = S * h[k]
        i = k
        while i > 0 and buffer[i - 1] > value:
            buffer[i] = buffer[i - 1]
            i -= 1
        buffer[i] = value
    return buffer[K // 2]


@piece
def nearest_unit(h):
    """The unit whose field is nearest to zero."""
    least, unit = abs(h[0]), 0
    for k in range(1, h.shape[0]):
        if abs(h[k]) < least:
            least, unit = abs(h[k]), k
    return unit


@piece
def example_strength(kind, S, h, buffer):
    """How far the fields may change before the output is wrong; negative if it is wrong."""
    if kind == COMMITTEE:
        return median_field(S, h, buffer)
    return S * machine_output(kind, h) * abs(h[nearest_unit(h)])


@piece
def copy_weights(W, best_W):
    """best_W = W. An array assignment takes seconds to compile."""
    for k in range(W.shape[0]):
        for j in range(W.shape[1]):
            best_W[k, j] = W[k, j]


@entry
def count_machine_errors(xi, S, begin, end, W, kind):
    h = np.empty(W.shape[0])
    errors = 0
    for mu in range(xi.shape[0]):
        unit_fields(xi, mu, begin, end, W, h)
        errors += machine_output(kind, h) != S[mu]
    return errors


@entry
def unit_distances(X, W, theta, radii, lengths):
    """Distance of each row of X to the surface of each unit, with the sign of sigma: (n, K).

    A perceptron's surface is the plane w . xi = theta; that of a grandmother unit (radius > 0) the sphere
    around -w. Row by row, so that a row gives the same bits alone and among others.
    """
    n, N = X.shape
    d = np.empty((n, W.shape[0]))
    for i in range(n):
        for k in range(W.shape[0]):
            total = 0.0
            if radii[k] > 0.0:
                for j in range(N):
                    total += (X[i, j] + W[k, j]) ** 2
                d[i, k] = math.sqrt(total) - radii[k]
            else:
                for j in range(N):
                    total += X[i, j] * W[k, j]
                d[i, k] = (total - theta[k]) / lengths[k]
    return d


@entry
def largest_family(X, wrong):
    """(centre, members, radius^2 inside, radius^2 outside) of the largest sphere around a wrong example.

    Members are the wrong examples nearer than the nearest correct one; inside: the farthest member, outside:
    the nearest correct example. Differences, not scalar products: close neighbours far from the origin stay
    distinct. No members if each wrong example coincides with a correct one.
    """
    P, N = X.shape
    d = np.empty(P)
    centre, members, inside, outside = -1, 0, 0.0, 0.0
    for mu in range(P):
        if not wrong[mu]:
            continue
        limit = math.inf
        for nu in range(P):
            total = 0.0
            for j in range(N):
                total += (X[nu, j] - X[mu, j]) ** 2
            d[nu] = total
            if not wrong[nu] and total < limit:
                limit = total
        count, farthest = 0, 0.0
        for nu in range(P):
            if wrong[nu] and d[nu] < limit:
                count += 1
                farthest = max(farthest, d[nu])
        if count > members:
            centre, members, inside, outside = mu, count, farthest, limit
    return centre, members, inside, outside
