"""
A curve from eighty points
==========================

A network with one hidden layer fits a sine.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone.networks import FeedForwardRegressor

x = np.linspace(-2, 2, 80)
net = FeedForwardRegressor(K=15, max_iter=5000, random_state=0).fit(x[:, None], np.sin(3 * x))
fig, ax = plt.subplots(layout="constrained")
ax.plot(x, np.sin(3 * x), "o", ms=3, color="0.6", label="examples")
ax.plot(x, net.predict(x[:, None]), color="#0072B2", label="network, K = 15")
ax.legend()

# %%
# The claim: more than 99 per cent of the variance is explained.
assert net.score(x[:, None], np.sin(3 * x)) > 0.99
