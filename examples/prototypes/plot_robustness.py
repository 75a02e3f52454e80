"""
The nearest input with another answer
=====================================

With one metric, boundaries are planes, so that the nearest input with another answer can be computed.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GMLVQ, robustness

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
model = GMLVQ().fit(X, y)
found = robustness(model, X)
fig, ax = plt.subplots(layout="constrained")
ax.hist(found.radius, bins=30, color="#0072B2")
ax.set(xlabel="smallest change that changes the answer (z-scores)", ylabel="wines")

# %%
# The claim: a step just beyond the nearest border does change the answer of the least certain wine.
k = found.radius.argmin()
beyond = X[k] + 1.001 * (found.counterfactual[k] - X[k])
assert found.exact
assert model.predict(beyond[None])[0] != model.predict(X[k : k + 1])[0]
