"""Relevances in scikit-learn's selectors."""

import numpy as np
import pytest
from sklearn.feature_selection import RFE, SelectFromModel

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LMRSLVQ, MRSLVQ, MatrixLVQ1

MODELS = [GRLVQ(), GMLVQ(), LGMLVQ(), LGMLVQ(per="prototype"), MRSLVQ(), LMRSLVQ()]
each = pytest.mark.parametrize("model", MODELS, ids=str)


@pytest.fixture(scope="module")
def two_of_six():
    """Features 1 and 4 separate three classes, the others are noise."""
    rng = np.random.default_rng(0)
    y = np.arange(180) % 3
    X = rng.standard_normal((180, 6))
    X[:, 1] += 2.5 * (y == 1)
    X[:, 4] += 2.5 * (y == 2)
    return X, y


@each
def test_they_are_the_relevances(model, two_of_six):
    assert not hasattr(model, "feature_importances_")
    model.fit(*two_of_six)
    found = model.feature_importances_
    assert found.shape == (6,)
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(model.relevance_ if found.ndim == model.relevance_.ndim else found)
    assert set(np.argsort(found)[-2:]) == {1, 4}


@each
def test_selectors_find_the_features_that_matter(model, two_of_six):
    X, y = two_of_six
    assert RFE(model, n_features_to_select=2).fit(X, y).support_.nonzero()[0].tolist() == [1, 4]
    chosen = SelectFromModel(model, max_features=2, threshold=-np.inf).fit(X, y)
    assert chosen.get_support(indices=True).tolist() == [1, 4]


def test_prototypes_without_useful_relevances_have_none(two_of_six):
    """Relevances of MatrixLVQ1 show where classes are narrow: here noise features are largest."""
    assert not hasattr(GLVQ().fit(*two_of_six), "feature_importances_")
    model = MatrixLVQ1(random_state=0).fit(*two_of_six)
    assert not hasattr(model, "feature_importances_")
    assert set(np.argsort(model.relevance_)[-2:]) != {1, 4}
