"""
The same student in feature space
=================================

No line separates two rings. A Gaussian kernel does.
"""

import matplotlib.pyplot as plt

from markone import KernelAdaTron
from markone.data import two_classes
from markone.lvq.displays import CellsDisplay

X, S, _ = two_classes("rings", 120, seed=1)
student = KernelAdaTron(kernel="rbf", C=10.0).fit(X, S)
fig, ax = plt.subplots(layout="constrained")
CellsDisplay.from_estimator(student, X, S, ax=ax, resolution=120)

# %%
# The claim: nearly all examples are right, with a fraction of them as support vectors.
assert student.score(X, S) > 0.95
assert len(student.support_) < len(X)
