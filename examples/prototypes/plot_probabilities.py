"""
Prototypes with probabilities
=============================

RSLVQ and MRSLVQ use prototypes as centres of a mixture and estimate class probabilities.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import MRSLVQ, RSLVQ

X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
fig, both = plt.subplots(1, 2, figsize=(8, 3.5), sharey=True, layout="constrained")
for model, ax in zip((RSLVQ(), MRSLVQ()), both, strict=True):
    p = model.fit(X, y).predict_proba(X)
    ax.stackplot(range(150), p.T, colors=("#0072B2", "#E69F00", "#009E73"))
    ax.set(title=type(model).__name__, xlabel="flower, by true class")
    # The claim: probabilities, and the most likely class is mostly the true one.
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert np.mean(p.argmax(axis=1) == y) > 0.95
both[0].set_ylabel("probability of the three classes")
