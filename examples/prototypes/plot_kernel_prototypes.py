"""
Prototypes in feature space
===========================

Two moons: one prototype a class is not enough in the plane. With a kernel it is.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from markone.lvq import GLVQ, KernelGLVQ
from markone.lvq.displays import CellsDisplay

X, y = make_moons(120, noise=0.1, random_state=0)
fig, both = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
scores = []
for model, ax in zip((GLVQ(), KernelGLVQ(gamma=2.0)), both, strict=True):
    scores.append(model.fit(X, y).score(X, y))
    CellsDisplay.from_estimator(model, X, y, ax=ax, resolution=100, title=type(model).__name__)

# %%
# The claim: the kernel does better.
assert scores[1] > scores[0]
assert scores[1] > 0.95
