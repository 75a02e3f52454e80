"""
Rejection of uncertain inputs
=============================

Predictions near a boundary are uncertain. Rejecting them increases the accuracy of the others.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, Rejecting
from markone.lvq.displays import AccuracyRejectDisplay

X, X_new, y, y_new = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
scaler = StandardScaler().fit(X)
model = GLVQ().fit(scaler.transform(X), y)
fig, ax = plt.subplots(layout="constrained")
AccuracyRejectDisplay.from_estimator(model, scaler.transform(X_new), y_new, ax=ax)

# %%
# The claim: the accuracy of the answered inputs is at least that of all.
careful = Rejecting(make_pipeline(StandardScaler(), GLVQ()), accuracy=0.99, reject_label=-1, random_state=0)
careful.fit(X, y)
assert careful.score(X_new, y_new) >= careful.estimator_.score(X_new, y_new)
