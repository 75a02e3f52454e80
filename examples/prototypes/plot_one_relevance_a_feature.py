"""
One weight for each feature
===========================

GRLVQ is GMLVQ with a diagonal metric: fewer parameters, easier to interpret.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import GRLVQ

data = load_iris()
X = StandardScaler().fit_transform(data.data)
model = GRLVQ().fit(X, data.target)
fig, ax = plt.subplots(layout="constrained")
ax.barh(data.feature_names, model.relevance_, color="#0072B2")
ax.set(xlabel="relevance")

# %%
# The claim: relevances sum to one, and those of the petal dominate.
assert abs(model.relevance_.sum() - 1) < 1e-9
assert model.relevance_[2:].sum() > model.relevance_[:2].sum()
