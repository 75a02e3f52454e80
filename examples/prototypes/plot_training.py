"""
Cost and errors, step by step
=============================

GLVQ goes to a minimum of its cost, and the cost never rises.
"""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ
from markone.lvq.displays import TrainingDisplay

X, y = load_wine(return_X_y=True)
model = GLVQ().fit(StandardScaler().fit_transform(X), y)
TrainingDisplay.from_estimator(model)

# %%
# The claim: no step raised the cost.
assert np.all(np.diff(model.trace_["cost"]) <= 1e-12)
