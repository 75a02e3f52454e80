"""
Training and test error over C
==============================

Training and test error of the soft margin over C; each fit starts from the result of the last one.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import AdaTron
from markone.data import load
from markone.evaluation import ComplexityDisplay, complexity_curve

digits = load("digits")
X, y = digits.X[:300] / 16, digits.y[:300] == 8
curve = complexity_curve(AdaTron(), X, y, "C", [0.01, 0.1, 1, 10], cv=5, warm=True)
fig, ax = plt.subplots(layout="constrained")
ComplexityDisplay(curve).plot(ax=ax)

# %%
# The claim: the training error falls with C.
assert np.all(np.diff(np.mean(curve.train, axis=1)) <= 0)
