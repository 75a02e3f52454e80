"""
Learning curves in one call
===========================

Any students, any theory: the display trains, averages and draws.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import Adaline, Hebb
from markone.show import LearningCurveDisplay

students = {"hebb": Hebb(fit_intercept=False), "adaline": Adaline(fit_intercept=False)}
fig, ax = plt.subplots(layout="constrained")
display = LearningCurveDisplay.from_estimators(
    students, [0.5, 2.0, 4.0, 6.0], N=50, repeats=6, theory=["hebb", "adaline"], ax=ax
)

# %%
# The claim: with six times as many examples as weights, least squares has overtaken Hebb.
assert display.measured["adaline"][0][-1] < display.measured["hebb"][0][-1]
assert np.all(np.diff(display.measured["hebb"][0]) < 0)
