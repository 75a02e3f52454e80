"""
Leave one out, without fitting P times
======================================

Only examples that were learned at least once need a new fit. The result is the same.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import Rosenblatt
from markone.data import load
from markone.evaluation import leave_one_out

digits = load("digits")
X, y = digits.X[:200], digits.y[:200] == 1
alone = leave_one_out(Rosenblatt(), X, y)
fig, ax = plt.subplots(layout="constrained")
ax.bar(["fits, one by one", "fits needed"], [len(X), alone.refits], color=["0.7", "#0072B2"])
ax.set(ylabel="number of fits")

# %%
# The claim: the same as P fits, checked for the first ten.
for k in range(10):
    rest = np.arange(200) != k
    assert Rosenblatt().fit(X[rest], y[rest]).predict(X[k : k + 1])[0] == alone.predicted[k]
assert alone.refits < len(X)
