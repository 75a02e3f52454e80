"""What the tests of scikit-learn, sklvq and sklearn-lvq ask of their classifiers, asked of ours."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from markone import Rejecting
from markone.base import registry

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
CLASSIFIERS = [
    model for cls in registry.estimators().values() if cls is not Rejecting and is_classifier(model := cls())
]
each = pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)


def seeded(model):
    quick = {"max_iter": 20} if "max_iter" in model.get_params() else {}
    random = {"random_state": 0} if "random_state" in model.get_params() else {}
    return clone(model).set_params(**random, **quick)


@each
def test_labels_are_names_and_nothing_more(model):
    """Text, negative numbers, truth values: the answers are the same answers under other names."""
    whole = seeded(model).fit(X, Y).predict(X)
    text = seeded(model).fit(X, NAMES[Y]).predict(X)
    np.testing.assert_array_equal(text, NAMES[whole])
    np.testing.assert_array_equal(seeded(model).fit(X, Y - 5).predict(X), whole - 5)
    two = seeded(model).fit(X[:100], Y[:100]).predict(X[:100])
    np.testing.assert_array_equal(seeded(model).fit(X[:100], Y[:100] == 1).predict(X[:100]), two == 1)


@each
def test_a_fit_forgets_the_one_before(model):
    model = seeded(model).fit(X, Y)
    again = model.fit(X[:100, :3], NAMES[Y[:100]])
    fresh = seeded(model).fit(X[:100, :3], NAMES[Y[:100]])
    assert again is model
    assert again.classes_.tolist() == ["setosa", "versicolor"]
    np.testing.assert_array_equal(again.predict(X[:, :3]), fresh.predict(X[:, :3]))


@each
def test_an_answer_does_not_depend_on_its_neighbours(model):
    model = seeded(model).fit(X, Y)
    together = model.predict(X)
    np.testing.assert_array_equal([model.predict(row[None])[0] for row in X[::15]], together[::15])
    np.testing.assert_array_equal(model.predict(X[::-1]), together[::-1])


@each
def test_what_is_wrong_is_said(model):
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        clone(model).predict(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        seeded(model).fit(X, Y[:-1])
    with pytest.raises(ValueError, match=r"(?i)unknown label type"):
        seeded(model).fit(X, X[:, 0] + 0.05)
    with pytest.raises(ValueError, match="inf"):
        seeded(model).fit(np.where(X > 7, np.inf, X), Y)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features"):
        seeded(model).fit(X, Y).predict(X[:, :3])


@each
def test_parameters_are_those_given(model):
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        clone(model).set_params(nonsense=1)
    if "max_iter" in model.get_params():
        with pytest.raises(ValueError, match="'max_iter' parameter"):
            clone(model).set_params(max_iter=-1).fit(X, Y)
