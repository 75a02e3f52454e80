"""Python interface to `_rows`; arrays are allocated here, where that needs no compilation."""

from typing import Any

import numpy as np

from markone.numerics._rows import write_squared_norms
from markone.numerics.arrays import Floats


def compute_squared_norms(xi: Any, P: int) -> Floats:
    """|xi^mu|^2 of all P examples."""
    norms = np.empty(P)
    write_squared_norms(xi, norms)
    return norms
