"""
The fewest errors possible
==========================

A fifth of the labels is wrong. It is proven that no line makes fewer errors than this one.
"""

import matplotlib.pyplot as plt

from markone import MinimalErrors, Pocket
from markone.data import teacher_examples
from markone.show import PerceptronDisplay

X, S, _ = teacher_examples(60, 2, noise=0.2, seed=4)
student = MinimalErrors(random_state=0).fit(X, S)
fig, ax = plt.subplots(layout="constrained")
PerceptronDisplay.from_estimator(student, X, S, ax=ax)
ax.set_title(f"no line makes fewer than {student.n_errors_} errors")

# %%
# The claim: the minimum is proven, and the pocket has not fewer errors.
assert student.proved_
assert student.errors_bounds_[0] == student.n_errors_ <= Pocket(random_state=0).fit(X, S).n_errors_
