"""
The delta rule, hard and linear
===============================

The same loop: a hard unit stops learning when it is right, a linear one converges to least squares.
"""

import matplotlib.pyplot as plt

from markone import LMS, PerceptronRule
from markone.data import two_classes
from markone.show import PerceptronDisplay

X, S, _ = two_classes("halo", 60, seed=1)
students = {"hard unit": PerceptronRule().fit(X, S), "linear unit": LMS().fit(X, S)}
fig, both = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
for (name, student), ax in zip(students.items(), both, strict=True):
    PerceptronDisplay.from_estimator(student, X, S, ax=ax)
    ax.set_title(name)

# %%
# The claim: both separate the two clouds.
assert all(student.score(X, S) == 1 for student in students.values())
