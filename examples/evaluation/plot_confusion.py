"""
A confusion matrix
==================

In per cent of the true class, for predictions of rows that were left out.
"""

import matplotlib.pyplot as plt
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.model_selection import cross_val_predict

from markone import AdaTron
from markone.data import load
from markone.evaluation import confusion_percent, cross_validated

data = load("iris")
fig, ax = plt.subplots(layout="constrained")
counts = confusion_matrix(data.y, cross_val_predict(AdaTron(C=1), data.X, data.y, cv=5))
ConfusionMatrixDisplay(confusion_percent(counts)).plot(ax=ax, cmap="Blues", values_format=".1f")

# %%
# The claim: nine of ten flowers are predicted correctly when left out.
table = cross_validated(AdaTron(C=1), data.X, data.y, cv=5)
assert table.mean("accuracy") > 0.9
