"""
More data than memory
=====================

``partial_fit`` takes a table in pieces. Hebb's student of the pieces is that of the whole.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import Hebb
from markone.data import teacher_examples

xi, S, _ = teacher_examples(3000, 100, seed=0)
stream = Hebb(fit_intercept=False)
scores = []
for k in range(0, 2000, 200):
    stream.partial_fit(xi[k : k + 200], S[k : k + 200], classes=[-1, 1])
    scores.append(stream.score(xi[2000:], S[2000:]))
whole = Hebb(fit_intercept=False).fit(xi[:2000], S[:2000])
fig, ax = plt.subplots(layout="constrained")
ax.plot(np.arange(1, 11) * 200, scores, "o-", color="#0072B2")
ax.set(xlabel="examples seen", ylabel="accuracy on new examples")

# %%
# The claim: the same direction, whether in pieces or at once.
a, b = stream.coef_[0], whole.coef_[0]
assert np.isclose(a @ b / np.sqrt((a @ a) * (b @ b)), 1)
