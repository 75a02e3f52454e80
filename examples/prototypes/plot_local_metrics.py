"""
A metric for each class
=======================

LGMLVQ learns one matrix a class; LMRSLVQ does the same with probabilities.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import LGMLVQ, LMRSLVQ

data = load_wine()
X, y = StandardScaler().fit_transform(data.data), data.target
model = LGMLVQ(random_state=0).fit(X, y)
diagonals = np.array([np.diag(one) for one in model.lambda_])
fig, ax = plt.subplots(layout="constrained")
image = ax.imshow(diagonals, cmap="cividis", aspect="auto")
ax.set(yticks=range(3), yticklabels=data.target_names)
ax.set_xticks(range(X.shape[1]), data.feature_names, rotation=90)
fig.colorbar(image, label="relevance for this class")

# %%
# The claim: the relevances of each class sum to one, and both models classify nearly all wines correctly.
np.testing.assert_allclose(diagonals.sum(axis=1), 1)
assert min(model.score(X, y), LMRSLVQ(random_state=0).fit(X, y).score(X, y)) > 0.98
