"""
Few errors on inseparable labels
================================

A fifth of the labels is wrong. Pocket keeps the best weights found.
"""

import matplotlib.pyplot as plt

from markone import Pocket, separability
from markone.data import teacher_examples
from markone.show import PerceptronDisplay

X, S, _ = teacher_examples(60, 2, noise=0.2, seed=4)
student = Pocket(random_state=0).fit(X, S)
fig, ax = plt.subplots(layout="constrained")
PerceptronDisplay.from_estimator(student, X, S, ax=ax)

# %%
# The claim: no line separates these labels, and most are right all the same.
assert separability(X, S, fit_intercept=True).separable is False
assert student.score(X, S) > 0.7
