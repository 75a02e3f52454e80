"""Functions with one version for dense and one for sparse examples."""

import numpy as np
from numba import types
from numba.extending import overload


def by_layout(dense, sparse, **options):
    """Combine two functions of (xi, ...) into one that compiled code and Python call alike.

    `dense` takes an array, `sparse` the named tuple `Sparse`; `options` are those of `numba.njit`.
    """

    def call(xi, *args):
        return (dense if isinstance(xi, np.ndarray) else sparse)(xi, *args)

    @overload(call, jit_options={"nogil": True, **options}, strict=False)
    def _choose(xi, *args):
        return dense if isinstance(xi, types.Array) else sparse

    return call
