"""A symmetric sub-matrix, lower triangle only: half the memory traffic of C[np.ix_(at, at)]."""

import numpy as np

from markone.numerics.compiling import entry


@entry
def gather_submatrix(C, at, ridge):
    """C[at, at] + ridge on and below the diagonal; zero above."""
    n = at.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        row = C[at[i]]
        for j in range(i + 1):
            out[i, j] = row[at[j]]
        out[i, i] += ridge
    return out
