"""
Two costs for wrong answers
===========================

H[1] counts how far an example is on the wrong side; H[2] squares it.
"""

import matplotlib.pyplot as plt

from markone import MarginCost
from markone.data import teacher_examples
from markone.show import PerceptronDisplay

X, S, _ = teacher_examples(50, 2, noise=0.1, seed=5)
fig, both = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
scores = []
for k, ax in zip((1, 2), both, strict=True):
    student = MarginCost(k=k).fit(X, S)
    PerceptronDisplay.from_estimator(student, X, S, ax=ax)
    ax.set_title(f"k = {k}")
    scores.append(student.score(X, S))

# %%
# The claim: a tenth of the labels is wrong, and both get four fifths right or more.
assert min(scores) >= 0.8
