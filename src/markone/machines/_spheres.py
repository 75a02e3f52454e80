"""The largest set of wrong examples in a sphere without correct ones."""

import math

import numpy as np

from markone.numerics.compiling import entry


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
