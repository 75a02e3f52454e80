"""The a priori rounding of a kernel, against the kernel in fifty digits."""

import mpmath
import numpy as np
import pytest

from markone.perceptron.margin.kernel.kernel_certificate import kernel_rounding
from markone.perceptron.margin.kernel.mercer import make_kernel

mpmath.mp.dps = 50


def true_kernel(name, x, z, gamma, degree, coef0, clamp):
    x, z = ([mpmath.mpf(float(v)) for v in row] for row in (x, z))
    if name == "rbf":
        value = mpmath.exp(-mpmath.mpf(gamma) * sum((a - b) ** 2 for a, b in zip(x, z, strict=True)))
    else:
        value = (mpmath.mpf(gamma) * sum(a * b for a, b in zip(x, z, strict=True)) + coef0) ** degree
    return value + mpmath.mpf(clamp)


@pytest.mark.parametrize("shift", [0.0, 1.0, 300.15, 1e5])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rbf", {"gamma": 0.7}),
        ("rbf", {"gamma": 1e-3}),
        ("poly", {"gamma": 0.3, "degree": 3, "coef0": 1.0}),
        ("poly", {"gamma": 0.1, "degree": 2, "coef0": 0.0}),
    ],
)
def test_no_element_is_further_from_the_truth_than_its_bound(name, options, scale, shift):
    X = shift + scale * np.random.default_rng(3).standard_normal((14, 5))
    kernel = make_kernel(name, X, clamp=1.0, **options)
    every = np.arange(len(X))
    K, (a, b) = kernel.kernel_block(every, every), kernel_rounding(kernel)
    full = {"degree": 3, "coef0": 0.0} | options
    for i in every:
        for j in every:
            off = abs(mpmath.mpf(float(K[i, j])) - true_kernel(name, X[i], X[j], clamp=1.0, **full))
            assert off <= a[i] * a[j] + b[i] + b[j]
