"""
A ROC curve for each class
==========================

Each cultivar against the other two; the mark is the working point of the classifier.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.evaluation import OneAgainstRestDisplay, one_against_rest
from markone.lvq import GMLVQ

X, X_new, y, y_new = train_test_split(*load_wine(return_X_y=True), test_size=0.5, random_state=0)
model = make_pipeline(StandardScaler(), GMLVQ()).fit(X, y)
fig, ax = plt.subplots(layout="constrained")
OneAgainstRestDisplay.from_estimator(model, X_new, y_new, ax=ax)

# %%
# The claim: every area is above 0.95.
assert min(one.curve.area for one in one_against_rest(model, X_new, y_new)) > 0.95
