"""
Version space on the sphere
===========================

In three dimensions students are points of a sphere. Each example cuts it; the rest is version space.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import AdaTron
from markone.data import teacher_examples
from markone.show import SphereDisplay

xi, S, teacher = teacher_examples(6, 3, seed=1)
fig, ax = plt.subplots(layout="constrained")
SphereDisplay.from_examples(xi, S, ax=ax)

# %%
# The claim: the teacher and the most stable student are both in it.
w = AdaTron(fit_intercept=False).fit(xi, S).coef_[0]
assert np.all(S * (xi @ teacher) > 0)
assert np.all(S * (xi @ w) > 0)
