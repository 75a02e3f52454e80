"""
A quadratic feature map
=======================

A ring in the plane is cut off by a plane in the space of squares and products.
"""

import numpy as np

from markone import AdaTron
from markone.show import FeatureSpaceDisplay


def psi(X):
    X = np.asarray(X)
    return np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])


rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (80, 2))
r = np.hypot(*X.T)
X, S = X[np.abs(r - 0.7) > 0.08], np.where(r < 0.7, 1, -1)[np.abs(r - 0.7) > 0.08]
student = AdaTron().fit(psi(X), S)
FeatureSpaceDisplay.from_estimator(student, psi, X, S)

# %%
# The claim: a perceptron on the map has every label right.
assert student.score(psi(X), S) == 1
