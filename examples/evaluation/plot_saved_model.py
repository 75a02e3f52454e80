"""
Save a model without pickle
===========================

skops writes a model as data, not as code. The loaded model gives the same predictions.
"""

import matplotlib.pyplot as plt
import numpy as np
import skops.io as sio
from sklearn.datasets import load_iris

from markone.lvq import GMLVQ

X, y = load_iris(return_X_y=True)
model = GMLVQ().fit(X, y)
data = sio.dumps(model)
unknown = sio.get_untrusted_types(data=data)
again = sio.loads(data, trusted=[name for name in unknown if name.startswith("markone.")])
fig, ax = plt.subplots(layout="constrained")
ax.plot(model.decision_function(X)[:, 0], again.decision_function(X)[:, 0], "o", color="#0072B2")
ax.set(xlabel="before", ylabel="after", title=f"{len(data) // 1024} kB")

# %%
# The claim: the loaded model gives the same numbers, bit for bit.
assert np.array_equal(model.decision_function(X), again.decision_function(X))
