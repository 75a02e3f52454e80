"""How many threads a fit is worth."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.threads import controller

# Multiplications per evaluation below which a second thread costs more than it brings.
SMALL = 2e8


def keep_memory() -> None:
    """Let the C library keep freed blocks of up to 16 MB for the next temporary of the same size.

    Glibc gives blocks of more than 128 kB back at once, and each new one is paid in page faults: half the
    time of a step on 1797 x 64. Freeing one large block raises that limit; elsewhere it does nothing.
    """
    np.empty(2**21)


def one_thread(X: Array, M: int) -> AbstractContextManager[Any]:
    """One thread of BLAS and of OpenMP (k-means) for small problems, M prototypes or classes.

    On a busy machine two of them wait for each other: fifty times the work for BLAS, ten for k-means.
    """
    keep_memory()
    small = X.size * (X.shape[1] + M) < SMALL
    return controller().limit(limits=1) if small else nullcontext()
