"""
A small network and its weights
===============================

Two moons, one hidden layer of six units, trained by its gradient.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from markone.networks import FeedForwardClassifier
from markone.show import NetworkDisplay

X, y = make_moons(200, noise=0.1, random_state=0)
net = FeedForwardClassifier(K=6, random_state=0).fit(X, y)
fig, ax = plt.subplots(layout="constrained")
NetworkDisplay.from_estimator(net, ax=ax)

# %%
# The claim: it separates the moons.
assert net.score(X, y) > 0.95
