"""Separability of a block of repeats, each with a proof."""

import math

import numpy as np

from markone.lab.scenarios.rule._examples import draw_signed_examples
from markone.numerics.compiling import entry
from markone.perceptron.separable._balance import proves_balance, proves_separation
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, decide_separable

TOL, MAX_ITER = 1e-9, 200


@entry
def decide_separable_block(seed, start, stop, P, N, labels, noise):
    """1 or 0 with a proof; NaN where none was found, to be decided in `separable.py`.

    The only entry that contains `decide`: each further one would take as long to compile.
    """
    out = np.empty(stop - start)
    Z, w, x = np.empty((P, N)), np.empty(N), np.empty(P)
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, labels, noise, Z)
        status, _ = decide_separable(Z, w, x, TOL, MAX_ITER)
        out[k] = math.nan
        if status == SEPARABLE and proves_separation(Z, w):
            out[k] = 1.0
        elif status == NOT_SEPARABLE and proves_balance(Z, x):
            out[k] = 0.0
    return out
