"""
A ROC curve with its spread
===========================

The mean true positive rate at every false positive rate, with a band over the folds.
"""

import matplotlib.pyplot as plt
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone import AdaTron
from markone.data import load
from markone.evaluation import AveragedRocDisplay

data = load("breast_cancer")
student = make_pipeline(StandardScaler(), AdaTron(C=0.1))
fig, ax = plt.subplots(layout="constrained")
display = AveragedRocDisplay.from_estimator(student, data.X, data.y, cv=5, ax=ax)

# %%
# The claim: the area under the mean curve is larger than 0.98.
assert display.average.areas.mean() > 0.98
