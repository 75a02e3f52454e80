"""Warnings point at the line of the user."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from markone import CommitteeMachine, FeedForwardClassifier, KernelAdaTron, Rosenblatt
from markone.evaluation import leave_one_out

# The logical "exclusive or" is not separable.
X, Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([0, 0, 1, 1])
FITS = {
    "perceptron": lambda: Rosenblatt(max_iter=3).fit(X, Y),
    "feature space": lambda: KernelAdaTron(kernel="linear").fit(X, Y),
    "machine": lambda: CommitteeMachine(1, max_iter=3, random_state=0).fit(X, Y),
    "network": lambda: FeedForwardClassifier(max_iter=1, random_state=0).fit(X, Y),
    "pipeline": lambda: make_pipeline(Rosenblatt(max_iter=3)).fit(X, Y),
    "leave-one-out": lambda: leave_one_out(Rosenblatt(max_iter=1), X, Y),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_the_line_is_the_users(fit):
    with pytest.warns(ConvergenceWarning) as caught:
        fit()
    assert {warning.filename for warning in caught} == {__file__}
