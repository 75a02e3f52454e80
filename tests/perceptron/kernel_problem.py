"""The solver in feature space with the defaults of KernelAdaTron, and any start within the bounds."""

import numpy as np

from markone.perceptron.margin.kernel import train_kernel_student


def solve_kernel_problem(
    kernel, S, C=np.inf, *, tol=1e-6, exact=True, max_epochs=1000, cache_mb=200.0, seed=0, x0=None
):
    bounds = np.broadcast_to(np.asarray(C, dtype=float), S.shape).copy()
    start = None if x0 is None else np.clip(x0, 0.0, bounds)
    return train_kernel_student(kernel, S, bounds, tol, exact, max_epochs, cache_mb, seed, start)
