"""One data set of a named stream: the same for every scenario and every student.

Gaussian inputs row by row, then one uniform number per example, which flips the teacher's label or
tosses the coin. Kept are the rows Z^mu = S^mu xi^mu: no perceptron without threshold sees more.
"""

import numpy as np

from markone.numerics._random import normal, uniform
from markone.numerics._streams import DATA, key
from markone.numerics._sums import total
from markone.numerics.compiling import entry

RANDOM, TEACHER = 0, 1


@entry
def examples(seed, N, P, repeat, labels, noise, Z):
    """Fill Z (P, N). The teacher is w* = (1, .., 1), as in the stability report: any other is the same."""
    state = np.empty(1, np.uint64)
    key(state, seed, N, P, repeat, DATA)
    for mu in range(P):
        for j in range(N):
            Z[mu, j] = normal(state)
    for mu in range(P):
        u = uniform(state)
        if labels == TEACHER:
            S = 1.0 if total(Z[mu]) >= 0.0 else -1.0
            if u < noise:
                S = -S
        else:
            S = 1.0 if u >= 0.5 else -1.0
        if S < 0.0:
            for j in range(N):
                Z[mu, j] = -Z[mu, j]
