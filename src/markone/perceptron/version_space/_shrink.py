"""Shrinking of version space example by example: the fraction of it that agrees with the next one."""

import math

import numpy as np

from markone.numerics._random import draw_normal
from markone.numerics._rows import dot_example
from markone.numerics._vectors import copy_array
from markone.numerics.compiling import entry
from markone.perceptron.version_space._trajectory import QUARTER, make_turn


@entry
def log_volumes(xi, S, G, lengths, n, most, w0, state, log):
    """Fill log[k] = ln of the volume after k examples, with n students each; w0 agrees with all of them.

    A student of V_k that agrees with example k is a student of V_(k+1): the chain continues from the last
    such student, or from w0 if there was none. ln((count + 1/2)/(n + 1/2)) has no bias of order 1/n.
    """
    P, N = S.shape[0], w0.shape[0]
    w, kept = np.empty(N), w0.copy()
    side, numbers, vectors = np.empty(P), np.zeros((4, P)), np.empty((2, N))
    for j in range(N):
        w[j] = draw_normal(state)
    for k in range(P):
        count = 0
        for _ in range(n):
            make_turn(xi, S[:k], G, lengths, np.inf, QUARTER, most, w, state, side[:k], numbers, vectors)
            if S[k] * dot_example(xi, k, w) > 0.0:
                count += 1
                copy_array(w, kept)
        log[k + 1] = log[k] + math.log((count + 0.5) / (n + 0.5))
        copy_array(kept if count > 0 else w0, w)
