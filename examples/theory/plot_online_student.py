"""
On-line learning and its theory
===============================

Each example is presented once. The line is exact for N to infinity.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import OnlineStudent, theory
from markone.data import teacher_examples

N, step = 500, 250
xi, S, teacher = teacher_examples(20 * step, N, seed=3)
student = OnlineStudent(rule="hebb", fit_intercept=False)
error = []
for k in range(0, len(xi), step):
    student.partial_fit(xi[k : k + step], S[k : k + step], classes=[-1, 1])
    w = student.coef_[0]
    error.append(np.arccos(w @ teacher / np.sqrt((w @ w) * (teacher @ teacher))) / np.pi)

alpha = step / N * np.arange(1, 21)
curve = theory.curve("online.hebb")(alpha)
fig, ax = plt.subplots(layout="constrained")
ax.plot(alpha, curve, color="#0072B2", label="theory")
ax.plot(alpha, error, "o", color="#D55E00", label=f"one student, N = {N}")
ax.set(xlabel="examples seen per weight, alpha", ylabel="generalization error")
ax.legend()

# %%
# The claim: one run at N = 500 stays within 0.04 of the curve.
assert np.max(np.abs(error - curve)) < 0.04
