"""The scenario `relevances`: measures of a matrix, and one fold computed by hand."""

import numpy as np
import pytest
from scenario_twins import in_pieces, same

from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples
from markone.lab.scenarios.real_data.relevances import SCENARIO, Parameters, relevance_measures
from markone.lab.scenarios.real_data.students import repeat_seed
from markone.lvq import GMLVQ


def test_measures_of_a_matrix():
    matrix = np.diag([1.0, 1.0, 2.0, 4.0]) + 0.0
    matrix[2, 3] = matrix[3, 2] = -0.8
    matrix[0, 1] = matrix[1, 0] = 0.4
    pair, others, term, other, leading, rank = relevance_measures(matrix, 2, 3)
    assert (pair, others, term, other) == pytest.approx((0.25, 0.125, 0.1, 0.05))
    values = np.linalg.eigvalsh(matrix) / 8
    assert leading == pytest.approx(values[-1])
    assert rank == pytest.approx(1 / np.sum(values**2))
    assert relevance_measures(np.eye(4) / 4, 0, 1)[5] == pytest.approx(4.0)


def test_a_fold_by_hand():
    p = Parameters(data="iris", steps=3)
    values = SCENARIO.run(p, 2, 4, 5)
    X, y = load_examples("iris")
    ((train, _),) = fold_splits("iris", -1, 10, 2, 4, 5)
    Z = (X[train] - X[train].mean(axis=0)) / X[train].std(axis=0)
    model = GMLVQ(max_iter=3, random_state=repeat_seed(2, 4)).fit(Z, y[train])
    relevances = np.diag(model.lambda_) / np.trace(model.lambda_)
    assert values["pair_relevance"][0] == pytest.approx(relevances[2:].min())
    assert values["others"][0] == pytest.approx(relevances[:2].max())


def test_blocks_cut_anywhere_give_the_same_bits():
    p = Parameters(data="iris", steps=2)
    same(SCENARIO.run(p, 2, 0, 4), in_pieces(SCENARIO, p, 2, [0, 1, 4]))
