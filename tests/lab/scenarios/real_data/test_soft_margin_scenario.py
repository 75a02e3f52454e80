"""Error against the price of errors: folds of scikit-learn, scaled in the fold."""

import numpy as np
import pytest
from scenario_twins import in_pieces, same
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from markone.lab.scenarios.real_data import soft_margin as sm
from markone.lab.scenarios.real_data.data_sets import binary_targets, fold_splits, load_examples


@pytest.mark.parametrize("C", [0.01, 1.0])
def test_the_errors_are_those_of_a_linear_support_vector_machine_on_the_same_folds(C):
    """liblinear penalises its intercept like the weight of the clamped input here: the same optimum."""
    X, S = load_examples("wine")[0], binary_targets("wine", 1)
    found = sm.SCENARIO.run({"data": "wine", "C": C}, 2, 0, 4)
    peer = make_pipeline(StandardScaler(), LinearSVC(loss="hinge", C=C, tol=1e-10, max_iter=1_000_000))
    for k, (train, test) in enumerate(fold_splits("wine", 1, 10, 2, 0, 4)):
        peer.fit(X[train], S[train])
        assert found["training_error"][k] == pytest.approx(np.mean(peer.predict(X[train]) != S[train]))
        assert found["test_error"][k] == pytest.approx(np.mean(peer.predict(X[test]) != S[test]))
        margin = S[train] * peer.decision_function(X[train])
        assert found["support"][k] == pytest.approx(np.mean(margin < 1 + 1e-6))


def test_blocks_may_be_cut_anywhere():
    point = {"data": "iris", "C": 0.1}
    same(sm.SCENARIO.run(point, 7, 0, 12), in_pieces(sm.SCENARIO, point, 7, [0, 5, 12]))


def test_the_price_must_be_positive():
    with pytest.raises(ValueError, match="greater than 0"):
        sm.Parameters(data="wine", C=0.0)
