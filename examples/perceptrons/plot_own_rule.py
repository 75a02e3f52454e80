"""
Your own learning rule
======================

Write how strongly an example is learned, as a formula of its potential E. Compiled code runs it.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import OnlineStudent
from markone.data import teacher_examples

N = 100
xi, S, teacher = teacher_examples(30 * N, N, seed=0)
fig, ax = plt.subplots(layout="constrained")
ends = {}
for rule in ("1", "1 if E <= 0 else 0", "0.5 + max(0, -E) / h"):
    student, error = OnlineStudent(rule=rule, fit_intercept=False), []
    for k in range(0, len(xi), N):
        w = student.partial_fit(xi[k : k + N], S[k : k + N], classes=[-1, 1]).coef_[0]
        error.append(np.arccos(w @ teacher / np.sqrt((w @ w) * (teacher @ teacher))) / np.pi)
    ends[rule] = error[-1]
    ax.plot(np.arange(1, 31), error, label=f"f = {rule}")
ax.set(xlabel="examples seen per weight", ylabel="generalization error", yscale="log")
ax.legend()

# %%
# The claim: all three have learned most of the rule.
assert max(ends.values()) < 0.15
