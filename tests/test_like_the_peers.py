"""Properties tested by scikit-learn, sklvq and sklearn-lvq for their classifiers, for ours."""

from inspect import signature

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.neighbors import NearestCentroid
from sklearn.svm import SVC

from markone import GMLVQ, AdaTron, KernelAdaTron, LinearUnit, NearestPrototype, Rejecting
from markone.base import registry

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
CLASSIFIERS = [
    model
    for cls in registry.public_estimators().values()
    if cls is not Rejecting and is_classifier(model := cls())
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


WEIGHTED = [m for m in CLASSIFIERS if "sample_weight" in signature(m.fit).parameters]
# A rule that learns example by example does not see two copies as one example of weight two.
ONE_BY_ONE = {"Rosenblatt", "Pocket", "LMS", "PerceptronRule", "LVQ1", "LVQ21", "LVQ3", "OLVQ1", "MatrixLVQ1"}
STREAMING = [m for m in CLASSIFIERS if hasattr(m, "partial_fit")]
WARM = [m for m in CLASSIFIERS if "warm_start" in m.get_params()]


def some(models):
    return pytest.mark.parametrize("model", models, ids=lambda model: type(model).__name__)


def margin(model):
    """With errors allowed: a hard margin does not depend on weights."""
    return model.set_params(C=1.0) if "C" in model.get_params() else model


@some(WEIGHTED)
def test_weights_of_one_are_no_weights(model):
    plain, weighted = (margin(seeded(model)) for _ in range(2))
    plain.fit(X, Y)
    weighted.fit(X, Y, sample_weight=np.ones(len(Y)))
    np.testing.assert_allclose(
        weighted.decision_function(X), plain.decision_function(X), rtol=1e-6, atol=1e-8
    )


@some([m for m in WEIGHTED if type(m).__name__ not in ONE_BY_ONE])
def test_a_weight_is_a_number_of_copies_and_zero_is_absence(model):
    rng = np.random.default_rng(0)
    times = rng.integers(0, 3, len(Y))
    times[[0, 60, 120]] = 1
    weighted, copied = (margin(clone(model)) for _ in range(2))
    for one in (weighted, copied):
        one.set_params(**({"random_state": 0} if "random_state" in one.get_params() else {}))
    weighted.fit(X, Y, sample_weight=times)
    copied.fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
    # Where a solver stops depends on the last digits of its sums.
    assert np.mean(weighted.predict(X) == copied.predict(X)) >= 0.98


@some(WEIGHTED)
def test_weights_that_are_none_are_refused(model):
    with pytest.raises(ValueError, match=r"sample_weight|weight"):
        margin(seeded(model)).fit(X, Y, sample_weight=np.ones(len(Y) - 1))
    with pytest.raises(ValueError, match=r"(?i)weight"):
        margin(seeded(model)).fit(X, Y, sample_weight=np.full(len(Y), np.nan))


@some(WARM)
def test_a_warm_start_goes_on(model):
    """Two fits of k epochs get at least as far as one: the training error is not larger."""
    k = {"max_iter": 5}
    first = clone(model).set_params(warm_start=True, **k)
    first.set_params(**({"random_state": 0} if "random_state" in first.get_params() else {}))
    once = first.fit(X, Y).score(X, Y)
    state = first.decision_function(X).copy()
    again = first.fit(X, Y)
    cold = clone(first).set_params(warm_start=False).fit(X, Y)
    np.testing.assert_allclose(cold.decision_function(X), state, rtol=1e-9, atol=1e-12)
    assert again.score(X, Y) >= once - 0.05


@some(STREAMING)
def test_a_stream_of_one_batch_after_the_other(model):
    """Any number of batches, classes given once: predictions are among them, one per row."""
    streamed = seeded(model)
    for rows in np.array_split(np.random.default_rng(0).permutation(len(Y)), 5):
        assert streamed.partial_fit(X[rows], NAMES[Y[rows]], classes=NAMES) is streamed
    assert streamed.classes_.tolist() == NAMES.tolist()
    assert set(streamed.predict(X)) <= set(NAMES)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features"):
        streamed.partial_fit(X[:, :3], NAMES[Y])


def test_what_is_the_same_under_two_names():
    """Equivalences with scikit-learn and among ourselves."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    two = slice(0, 100)
    soft = AdaTron(C=1.0, random_state=0).fit(Z[50:], Y[50:])
    # The clamped input of the threshold counts into |w|: give scikit-learn the same input.
    ones = np.column_stack([Z, np.ones(len(Z))])
    svc = SVC(kernel="linear", C=1.0, tol=1e-8).fit(ones[50:], Y[50:])
    plain = AdaTron(C=1.0, fit_intercept=False, random_state=0).fit(ones[50:], Y[50:])
    np.testing.assert_allclose(plain.decision_function(ones), soft.decision_function(Z), rtol=1e-5, atol=1e-5)
    assert np.mean(svc.predict(ones) == plain.predict(ones)) > 0.95
    nearest = NearestPrototype(prototypes_per_class=1).fit(X, Y)
    np.testing.assert_allclose(nearest.prototypes_, NearestCentroid().fit(X, Y).centroids_)
    np.testing.assert_array_equal(nearest.predict(X), NearestCentroid().fit(X, Y).predict(X))
    ridge = LinearUnit(ridge=2.0).fit(X[:, :3], X[:, 3])
    peer = Ridge(alpha=2.0).fit(X[:, :3], X[:, 3])
    np.testing.assert_allclose(ridge.predict(X[:, :3]), peer.predict(X[:, :3]), rtol=1e-8)
    full = GMLVQ(rank=None, random_state=0).fit(Z, Y)
    mapped = NearestPrototype(
        initial_prototypes=full.transform(full.prototypes_), initial_labels=full.prototype_labels_
    )
    np.testing.assert_array_equal(
        mapped.fit(full.transform(Z), Y).predict(full.transform(Z)), full.predict(Z)
    )
    kernel = KernelAdaTron(kernel="linear", C=1.0, random_state=0).fit(Z[two], Y[two])
    line = AdaTron(C=1.0, random_state=0).fit(Z[two], Y[two])
    np.testing.assert_array_equal(kernel.predict(Z), line.predict(Z))
