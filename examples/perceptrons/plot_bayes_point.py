"""
A random student and the centre of mass
=======================================

Gibbs draws one student from version space, BayesPoint takes the mean of many.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import BayesPoint, Gibbs
from markone.data import teacher_examples

errors = {"Gibbs": [], "BayesPoint": []}
for seed in range(8):
    xi, S, teacher = teacher_examples(120, 40, seed=seed)
    for student in (Gibbs(fit_intercept=False, random_state=seed),
                    BayesPoint(fit_intercept=False, n_students=100, random_state=seed)):  # fmt: skip
        w = student.fit(xi, S).coef_[0]
        angle = np.arccos(w @ teacher / np.sqrt((w @ w) * (teacher @ teacher)))
        errors[type(student).__name__].append(angle / np.pi)
fig, ax = plt.subplots(layout="constrained")
ax.plot(errors["Gibbs"], errors["BayesPoint"], "o", color="#0072B2")
ax.axline((0.1, 0.1), slope=1, color="0.5", ls=":")
ax.set(xlabel="error of a random student", ylabel="error of the centre of mass")

# %%
# The claim: over eight data sets the centre of mass is better on average.
assert np.mean(errors["BayesPoint"]) < np.mean(errors["Gibbs"])
