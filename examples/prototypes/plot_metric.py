"""
Prototypes and the metric between them
======================================

GMLVQ on the iris flowers: prototypes, eigenvalues, and the matrix of relevances.
"""

from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import GMLVQ
from markone.lvq.displays import MetricDisplay

X, y = load_iris(return_X_y=True, as_frame=True)
X = StandardScaler().set_output(transform="pandas").fit_transform(X)
model = GMLVQ().fit(X, y)
MetricDisplay.from_estimator(model)

# %%
# The claim: the two petal features carry nine tenths of the relevance.
assert model.relevance_[2:].sum() > 0.9
