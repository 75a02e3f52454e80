"""
Rosenblatt's algorithm
======================

Learn an example whenever its answer is wrong. Stop when all are right.
"""

import matplotlib.pyplot as plt

from markone import Rosenblatt
from markone.data import two_classes
from markone.show import PerceptronDisplay

X, S, _ = two_classes("dense", 40)
student = Rosenblatt(record="updates").fit(X, S)
fig, ax = plt.subplots(layout="constrained")
PerceptronDisplay.from_estimator(student, X, S, ax=ax)

# %%
# The claim: it stopped without an error.
assert student.score(X, S) == 1
