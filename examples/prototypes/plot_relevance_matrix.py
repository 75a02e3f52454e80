"""
A relevance matrix
==================

GMLVQ learns the metric of its distance, the matrix Lambda. Its diagonal is the relevance of the features for
the grower of a wine; off-diagonal elements show which pairs of features are used together.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GMLVQ

wine = load_wine()
model = GMLVQ().fit(StandardScaler().fit_transform(wine.data), wine.target)
names = [
    name.replace("od280/od315_of_diluted_wines", "OD280/OD315").replace("_", " ")
    for name in wine.feature_names
]

fig, ax = plt.subplots(layout="constrained")
largest = abs(model.lambda_).max()
image = ax.imshow(model.lambda_, cmap="PuOr", vmin=-largest, vmax=largest)
ax.set_xticks(range(len(names)), names, rotation=50, ha="right", fontsize=8)
ax.set_yticks(range(len(names)), names, fontsize=8)
fig.colorbar(image, label="$\\Lambda_{ij}$")

# %%
# The claim: flavanoids and proline have the largest relevances.
first, second = model.relevance_.argsort()[::-1][:2]
assert {wine.feature_names[first], wine.feature_names[second]} == {"flavanoids", "proline"}
