"""
Missing values
==============

Prototypes leave a missing value out of the distance. Nothing is filled in.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
rng = np.random.default_rng(0)
shares, right = [0.0, 0.1, 0.2, 0.4], []
for share in shares:
    holes = np.where(rng.random(X.shape) < share, np.nan, X)
    right.append(GLVQ(random_state=0).fit(holes, y).score(X, y))
fig, ax = plt.subplots(layout="constrained")
ax.plot(shares, right, "o-", color="#0072B2")
ax.set(xlabel="share of cells that is missing in training", ylabel="complete rows right", ylim=(0.8, 1.01))

# %%
# The claim: trained with a fifth of all cells missing, it still classifies 19 of 20 complete wines correctly.
assert right[2] > 0.95
