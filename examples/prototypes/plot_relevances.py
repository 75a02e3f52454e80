"""
Which features matter?
======================

GMLVQ learns prototypes and the metric in which they are compared. The diagonal of that metric is the
relevance of each feature.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GMLVQ
from markone.lvq.displays import RelevanceDisplay

data = load_wine(as_frame=True)
X = StandardScaler().set_output(transform="pandas").fit_transform(data.data)
model = GMLVQ().fit(X, data.target)
fig, ax = plt.subplots(layout="constrained")
RelevanceDisplay.from_estimator(model, X, data.target, ax=ax, n=20, random_state=0)

# %%
# The claim: one prototype per cultivar and the learned metric get all but a few of the 178 wines right.
assert model.score(X, data.target) > 0.98
