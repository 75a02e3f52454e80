"""Small sets of examples that several test files use."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

SETS = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer, "digits": load_digits}


def scaled(name):
    """z-scores with n - 1, as in the toolbox; constant features stay 0."""
    X, y = SETS[name](return_X_y=True)
    deviation = X.std(axis=0, ddof=1)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), y


def clusters(P=60, N=4, C=3, seed=0, histograms=False):
    """Overlapping classes around random centres, or around random histograms."""
    rng = np.random.default_rng(seed)
    y = np.arange(P) % C
    X = 1.5 * rng.standard_normal((C, N))[y] + rng.standard_normal((P, N))
    if histograms:
        X = np.exp(0.5 * X)
        X[::7, 0] = 0
        X /= X.sum(axis=1, keepdims=True)
    return X, y


def with_gaps(X, share=0.2, seed=1):
    """The same with missing values; no row loses all."""
    gaps = np.random.default_rng(seed).random(X.shape) < share
    gaps[:, 0] = False
    return np.where(gaps, np.nan, X)
