"""Separable or not for a block of repeats, doubts removed: what mass runs could not prove is redone."""

import numpy as np

from markone.lab.scenarios.rule import _separable
from markone.lab.scenarios.rule._examples import examples
from markone.lab.scenarios.storage import _storage
from markone.numerics.arrays import Floats
from markone.perceptron.separation.answer import certify


def separable(seed: int, start: int, stop: int, P: int, N: int, labels: int, noise: float) -> Floats:
    """1 or 0, proven; NaN for a set too large for the careful way."""
    out = _separable.separable(seed, start, stop, P, N, labels, noise)
    for k in np.flatnonzero(np.isnan(out)):
        Z = np.empty((P, N))
        examples(seed, N, P, start + int(k), labels, noise, Z)
        out[k] = answer(Z)
    return np.asarray(out)


def separate(seed: int, start: int, P: int, N: int, converged: Floats, out: Floats) -> None:
    """The same for the sets of `storage`, of which some are known to be learned; fills `out`."""
    _storage.separate(seed, start, P, N, converged, out)
    for k in np.flatnonzero(np.isnan(out)):
        Z, Y = np.empty((P, N), np.int32), np.empty((P, N))
        _storage.one_set(seed, start + int(k), np.empty(1, np.uint64), Z, Y)
        out[k] = answer(Y)


def answer(Z: Floats) -> float:
    """1, 0 or NaN (open) for the rows Z = S xi."""
    found = certify(Z, _separable.TOL, _separable.MAX_ITER)[0].separable
    return np.nan if found is None else float(found)
