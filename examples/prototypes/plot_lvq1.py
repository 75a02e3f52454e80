"""
LVQ1
====

The nearest prototype is attracted if it has the right class, else repelled.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from markone.lvq import LVQ1
from markone.lvq.displays import CellsDisplay

X, y = load_iris(return_X_y=True)
X = X[:, 2:]
model = LVQ1(prototypes_per_class=2, random_state=0).fit(X, y)
fig, ax = plt.subplots(layout="constrained")
CellsDisplay.from_estimator(model, X, y, ax=ax, resolution=150)
ax.set(xlabel="petal length (cm)", ylabel="petal width (cm)")

# %%
# The claim: six prototypes and two features get more than nine of ten flowers right.
assert model.score(X, y) > 0.9
