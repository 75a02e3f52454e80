"""
Prototypes in original units
============================

Behind a scaler prototypes are z-scores. ``in_original_units`` converts them back.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, in_original_units

X, y = load_iris(return_X_y=True, as_frame=True)
model = make_pipeline(StandardScaler(), GLVQ()).fit(X, y)
shown = in_original_units(model)
fig, ax = plt.subplots(layout="constrained")
for prototype, label in zip(shown.prototypes, shown.labels, strict=True):
    ax.plot(prototype, "o-", label=f"class {label}")
ax.set_xticks(range(4), shown.names, rotation=20)
ax.set_ylabel("cm")
ax.legend()

# %%
# The claim: scaled again they are the prototypes of the model.
again = (shown.prototypes - model[0].mean_) / model[0].scale_
np.testing.assert_allclose(again, model[-1].prototypes_)
