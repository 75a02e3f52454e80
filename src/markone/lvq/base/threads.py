"""Number of BLAS threads of a fit."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.threads import threadpool_controller

# Multiplications per evaluation below which a second thread does not pay off.
SMALL = 2e8


def _keep_memory() -> None:
    """Let the C library keep freed blocks of up to 16 MB for the next temporary of the same size.

    Glibc returns blocks of more than 128 kB to the system at once, and each new one costs page faults: half
    the time of a step on 1797 x 64. Freeing one large block raises that limit; elsewhere it has no effect.
    """
    np.empty(2**21)


def one_thread(X: Array, M: int) -> AbstractContextManager[Any]:
    """Limit BLAS and OpenMP (k-means) to one thread for small problems; M prototypes or classes.

    On a busy machine two threads wait for each other: 50 times the CPU time for BLAS, 10 for k-means.
    """
    _keep_memory()
    small = X.size * (X.shape[1] + M) < SMALL
    return threadpool_controller().limit(limits=1) if small else nullcontext()
