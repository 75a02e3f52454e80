"""
Nearest neighbours, and the few that matter
===========================================

Two overlapping clusters. One neighbour gives each example its own cell; twenty smooth the border. Hart's
subset keeps the examples near the border and still labels all of them right.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import NearestNeighbours
from markone.data import gaussian_mixture

train, test = (gaussian_mixture(n, [[0.0, 0.0], [2.0, 1.0]], 1.0, seed=n) for n in (150, 5000))
x, y = np.meshgrid(np.linspace(-3, 5, 120), np.linspace(-3, 4, 120))
models = {"k = 1": NearestNeighbours(), "k = 20": NearestNeighbours(k=20)}
models["k = 1, condensed"] = NearestNeighbours(condense=True)
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained", sharey=True)
errors = []
for ax, (title, model) in zip(axes, models.items(), strict=True):
    errors.append(1 - model.fit(train.X, train.y).score(test.X, test.y))
    ax.contourf(
        x, y, model.decision_function(np.c_[x.ravel(), y.ravel()]).reshape(x.shape), [-2, 0, 2], alpha=0.3
    )
    ax.scatter(*model.examples_.T, c=train.y[model.kept_], s=8)
    ax.set_title(f"{title}: {100 * errors[-1]:.0f} % errors")

# %%
# The claim: more neighbours make fewer errors, and the subset is small.
assert errors[1] < errors[0]
assert len(models["k = 1, condensed"].examples_) < 75
assert models["k = 1, condensed"].score(train.X, train.y) == 1
