"""
Always learn the weakest example
================================

MinOver converges to the student of optimal stability, which AdaTron computes directly.
"""

import matplotlib.pyplot as plt

from markone import AdaTron, MinOver
from markone.data import teacher_examples

xi, S, _ = teacher_examples(60, 30, seed=1)
student = MinOver(record="updates", fit_intercept=False).fit(xi, S)
best = AdaTron(fit_intercept=False).fit(xi, S).stability_bounds_[1]
history = student.history_
fig, ax = plt.subplots(layout="constrained")
ax.semilogx(history["step"][1:], history.kappa[1:], color="#0072B2", label="MinOver")
ax.axhline(best, ls=":", color="0.4", label="no student has more")
ax.set(xlabel="updates", ylabel="stability of the weakest example")
ax.legend()

# %%
# The claim: it ends within one per cent of the best, and never above.
assert 0.99 * best <= student.stability_bounds_[0] <= best
