"""
Recall of a pattern
===================

Digits are stored in the couplings of 64 neurons; one is recalled from a noisy picture.
"""

import numpy as np
from sklearn.datasets import load_digits

from markone.hopfield import Hopfield
from markone.show import RecallDisplay

X, y = load_digits(return_X_y=True)
X = (X > 7).astype(int)[[np.flatnonzero(y == k)[0] for k in range(6)]]
rng = np.random.default_rng(0)
spoiled = np.where(rng.random(64) < 0.1, 1 - X[2], X[2])
memory = Hopfield(couplings="pseudo_inverse", random_state=0).fit(X)
RecallDisplay.from_estimator(memory, spoiled, shape=(8, 8))

# %%
# The claim: every pixel is recalled.
assert np.array_equal(memory.predict(spoiled[None])[0], X[2])
