"""
A confusion matrix
==================

In per cent of the true class, for predictions of rows that were left out.
"""

import matplotlib.pyplot as plt

from markone import AdaTron
from markone.data import load
from markone.evaluation import ConfusionShareDisplay, cross_validated

data = load("iris")
fig, ax = plt.subplots(layout="constrained")
ConfusionShareDisplay.from_estimator(AdaTron(C=1), data.X, data.y, cv=5, ax=ax)

# %%
# The claim: nine of ten flowers are predicted correctly when left out.
table = cross_validated(AdaTron(C=1), data.X, data.y, cv=5)
assert table.mean("accuracy") > 0.9
