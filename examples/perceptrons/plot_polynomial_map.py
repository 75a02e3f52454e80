"""
A kernel written out
====================

AdaTron on the polynomial map and KernelAdaTron with the polynomial kernel are the same student.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import AdaTron, KernelAdaTron, PolynomialMap
from markone.data import two_classes

X, S, _ = two_classes("arcs", 60, seed=1)
psi = PolynomialMap(degree=2, coef0=1.0, gamma=1.0).fit(X)
plain = AdaTron(C=1.0, fit_intercept=False).fit(psi.transform(X), S)
kernel = KernelAdaTron(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=1.0, fit_intercept=False).fit(X, S)
a, b = plain.decision_function(psi.transform(X)), kernel.decision_function(X)
fig, ax = plt.subplots(layout="constrained")
ax.scatter(a, b, c=S, cmap="cividis")
ax.axline((0, 0), slope=1, color="0.5", ls=":")
ax.set(xlabel="AdaTron on the map", ylabel="KernelAdaTron")

# %%
# The claim: the two potentials agree.
np.testing.assert_allclose(a, b, atol=1e-6)
