"""The scenario `mark_one` equals a pipeline of public functions in each fold."""

import warnings

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from markone import AssociationLayer, KernelAdaTron, Rosenblatt
from markone.lab.scenarios.real_data import mark_one
from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples
from markone.lab.scenarios.real_data.students import repeat_seed

SMALL = {"data": "digits", "units": 24, "wires": 8, "folds": 10, "rows": 300}


@pytest.fixture(scope="module")
def values():
    return mark_one.SCENARIO.run(SMALL, 3, 0, 2)


def score(model, k):
    X, y = load_examples("digits")
    ((train, test),) = fold_splits("digits", -1, 10, 3, k, k + 1)
    with warnings.catch_warnings():
        # Fifty epochs do not separate all digits.
        warnings.simplefilter("ignore")
        return model.fit(X[train[:300]], y[train[:300]]).score(X[test], y[test])


@pytest.mark.parametrize("k", [0, 1])
def test_equals_a_pipeline_of_association_layer_and_perceptron(values, k):
    layer = AssociationLayer(n_units=24, n_excitatory=8, n_inhibitory=8, random_state=repeat_seed(3, k))
    assert values["accuracy"][k] == score(make_pipeline(layer, Rosenblatt(max_iter=mark_one.EPOCHS)), k)


def test_pixels_and_kernel_use_the_same_fold(values):
    assert values["pixels"][1] == score(Rosenblatt(max_iter=mark_one.EPOCHS), 1)
    assert values["kernel"][1] == score(KernelAdaTron(kernel="rbf", C=10.0), 1)
    np.testing.assert_array_equal(values["gain"], values["accuracy"] - values["pixels"])
    np.testing.assert_array_equal(values["short_of_kernel"], values["kernel"] - values["accuracy"])


def test_blocks_cut_anywhere_give_the_same(values):
    second = mark_one.SCENARIO.run(SMALL, 3, 1, 2)
    for name in values:
        assert second[name][0] == values[name][1]
