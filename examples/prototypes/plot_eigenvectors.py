"""
Data on the eigenvectors of the metric
======================================

The right panel of Fig. 5.2 of the notes: the flowers along the two directions that count most.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import GMLVQ
from markone.lvq.displays import ProjectionDisplay

X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
model = GMLVQ().fit(X, y)
fig, ax = plt.subplots(layout="constrained")
ProjectionDisplay.from_estimator(model, X, y, ax=ax, scaled=False)

# %%
# The claim: eigenvalues of a metric are not negative, and they sum to one.
assert model.eigenvalues_.min() > -1e-12
assert abs(model.eigenvalues_.sum() - 1) < 1e-9
