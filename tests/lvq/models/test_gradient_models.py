"""The classifiers: invariances, weights, prices, missing values, metric, streams, refusals."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from labelled import SETS, clusters, scaled, with_gaps
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, MRSLVQ, RSLVQ, distances

ALL = [GLVQ(), GRLVQ(), GMLVQ(), GMLVQ(rank=2), LGMLVQ(), LGMLVQ(per="prototype", rank=2), RSLVQ(), MRSLVQ()]
METRIC = [model for model in ALL if hasattr(model, "transform")]


def each(models):
    return pytest.mark.parametrize("model", models, ids=str)


@each(ALL)
def test_what_a_fitted_model_has(model):
    X, y = scaled("iris")
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    model.fit(X, labels)
    assert model.prototypes_.shape == (3, 4)
    assert list(model.prototype_labels_) == list(model.classes_)
    D = model.distances(X)
    assert D.shape == (150, 3)
    assert (D >= 0).all()
    np.testing.assert_array_equal(model.predict(X), model.prototype_labels_[D.argmin(axis=1)])
    assert model.decision_function(X).shape == (150, 3)
    assert model.trace_["errors"][-1] == (model.predict(X) != labels).sum()
    assert model.score(X, labels) > 0.93


@each([model for model in ALL if not hasattr(model, "predict_proba")])
def test_scores_are_relative_distances(model):
    X, y = scaled("iris")
    model.fit(X, y)
    D, scores = model.distances(X), model.decision_function(X)
    for i in range(0, 150, 10):
        for k in range(3):
            other = min(D[i, j] for j in range(3) if j != k)
            assert scores[i, k] == pytest.approx((other - D[i, k]) / (other + D[i, k]), rel=1e-9)
    two = y > 0
    model = clone(model).fit(X[two], y[two])
    D, score = model.distances(X[two]), model.decision_function(X[two])
    np.testing.assert_allclose(score, (D[:, 0] - D[:, 1]) / (D[:, 0] + D[:, 1]), rtol=1e-9)
    np.testing.assert_array_equal(score > 0, model.predict(X[two]) == 2)


@each(
    [
        RSLVQ(prototypes_per_class=2, random_state=0),
        MRSLVQ(rank=2),
        RSLVQ(sigma2=0.5),
        RSLVQ(sigma2="learned"),
    ]
)
def test_posteriors_are_those_of_the_mixture(model):
    X, y = scaled("wine")
    model.fit(X, y)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))
    density = np.exp(-model.distances(X[::20]) / (2 * model.sigma2_))
    mass = np.stack([density[:, model.prototype_labels_ == k].sum(axis=1) for k in range(3)], axis=1)
    np.testing.assert_allclose(proba[::20], mass / mass.sum(axis=1, keepdims=True), atol=1e-12)
    inside = (proba > 1e-9) & (proba < 1 - 1e-9)
    odds = np.log(proba[inside] / (1 - proba[inside]))
    np.testing.assert_allclose(model.decision_function(X)[inside], odds, rtol=1e-6, atol=1e-6)
    assert np.log(proba[np.arange(len(y)), y]).mean() == pytest.approx(-model.cost_, abs=1e-9)


def test_far_from_all_prototypes_posteriors_are_still_probabilities():
    X, y = scaled("iris")
    model = RSLVQ().fit(X, y)
    proba = model.predict_proba(1e4 * X)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)


@each(METRIC)
def test_the_metric(model):
    X, y = scaled("wine")
    model.fit(X, y)
    omega, N = model.omega_, X.shape[1]
    np.testing.assert_allclose(model.lambda_, np.swapaxes(omega, -1, -2) @ omega, atol=1e-12)
    np.testing.assert_allclose(np.trace(model.lambda_, axis1=-2, axis2=-1), 1)
    np.testing.assert_allclose(model.relevance_.sum(axis=-1), 1)
    Z = model.transform(X)
    assert Z.shape == (len(X), omega.size // N)
    names = model.get_feature_names_out()
    assert len(names) == Z.shape[1]
    frame = model.set_output(transform="pandas").transform(X)
    model.set_output(transform="default")
    assert list(frame.columns) == list(names)
    if omega.ndim == 2:
        Q = model.prototypes_ @ omega.T
        np.testing.assert_allclose(((Z[:, None] - Q[None]) ** 2).sum(axis=2), model.distances(X), atol=1e-9)


@each([GMLVQ(), GMLVQ(rank=3), LGMLVQ(), MRSLVQ()])
def test_eigenvectors_have_a_fixed_sign_and_omega_a_canonical_form(model):
    X, y = scaled("iris")
    model.fit(X, y)
    values, vectors = model.eigenvalues_, model.eigenvectors_
    assert (np.diff(values, axis=-1) <= 0).all()
    top = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=-1)[..., None], axis=-1)
    assert (top > 0).all()
    np.testing.assert_allclose(model.omega_, np.sqrt(values)[..., None] * vectors, atol=1e-12)
    first = model.lambda_.reshape(-1, 4, 4)[0]
    np.testing.assert_allclose(
        first @ vectors.reshape(-1, *vectors.shape[-2:])[0][0],
        values.reshape(-1, values.shape[-1])[0, 0] * vectors.reshape(-1, *vectors.shape[-2:])[0][0],
        atol=1e-10,
    )


@each([GLVQ(), GMLVQ(), LGMLVQ(), RSLVQ()])
def test_translation_and_rotation(model):
    """Lambda turns with the data; the classification stays."""
    X, y = clusters(P=120)
    turn = np.linalg.qr(np.random.default_rng(3).standard_normal((4, 4)))[0]
    straight, turned = clone(model).fit(X, y), clone(model).fit(X @ turn + 10.0, y)
    np.testing.assert_allclose(turned.distances(X @ turn + 10.0), straight.distances(X), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(turned.prototypes_, straight.prototypes_ @ turn + 10.0, atol=1e-5)
    if hasattr(straight, "lambda_"):
        np.testing.assert_allclose(turned.lambda_, turn.T @ straight.lambda_ @ turn, atol=1e-6)


def test_mahalanobis_classifies_alike_in_all_units():
    X, y = clusters(P=120)
    units = np.array([1e-2, 1.0, 3.0, 1e3])
    near = GLVQ(distance="mahalanobis").fit(X, y)
    far = GLVQ(distance="mahalanobis").fit(X * units, y)
    np.testing.assert_allclose(far.distances(X * units), near.distances(X), rtol=1e-3)


@each([GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), MRSLVQ()])
def test_single_precision_stays_single_and_agrees(model):
    X, y = scaled("wine")
    double, single = clone(model).fit(X, y), clone(model).fit(X.astype(np.float32), y)
    assert single.prototypes_.dtype == np.float32
    assert single.distances(X.astype(np.float32)).dtype == np.float32
    assert (single.predict(X.astype(np.float32)) == double.predict(X)).mean() > 0.98


@each(
    [
        GLVQ(),
        GRLVQ(),
        GMLVQ(),
        LGMLVQ(),
        RSLVQ(),
        MRSLVQ(),
        GLVQ(distance="minkowski"),
        GLVQ(distance="gaussian"),
    ]
)
def test_missing_values_are_left_out(model):
    X, y = scaled("wine")
    gaps = with_gaps(X, 0.1)
    model.fit(gaps, y)
    assert model.score(gaps, y) > 0.9
    assert np.isfinite(model.distances(gaps)).all()
    if hasattr(model, "transform"):
        Z, full = model.transform(gaps), np.where(np.isnan(gaps), model.prototypes_.mean(axis=0), gaps)
        np.testing.assert_allclose(Z, full @ model.omega_.reshape(-1, X.shape[1]).T, atol=1e-12)


@each([GLVQ(), GMLVQ(solver="lbfgs"), LGMLVQ(), RSLVQ()])
def test_weight_two_is_twice_the_example(model):
    X, y = clusters(P=80, seed=4)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = clone(model).fit(X, y, sample_weight=counts)
    repeated = clone(model).fit(X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_allclose(weighted.prototypes_, repeated.prototypes_, atol=1e-5)


def test_class_weight_and_prices_move_the_border():
    X, y = clusters(P=200, C=2, N=2, seed=5)
    for cls in (GLVQ, RSLVQ):
        plain = (cls().fit(X, y).predict(X) == 0).sum()
        assert (cls(class_weight={0: 50.0, 1: 1.0}).fit(X, y).predict(X) == 0).sum() > plain
        dear = cls(cost_matrix=[[0, 50.0], [1.0, 0]]).fit(X, y)
        assert (dear.predict(X) == 0).sum() > plain
        one = cls(cost_matrix=[[0, 1.0], [1.0, 0]]).fit(X, y)
        np.testing.assert_allclose(one.prototypes_, cls().fit(X, y).prototypes_, atol=1e-9)


def test_weights_are_routed_through_a_pipeline():
    X, y = clusters(P=80)
    weights = np.random.default_rng(0).random(80)
    with sklearn.config_context(enable_metadata_routing=True):
        pipe = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), GMLVQ().set_fit_request(sample_weight=True)
        )
        pipe.fit(X, y, sample_weight=weights)
    direct = GMLVQ().fit(StandardScaler().fit_transform(X), y, sample_weight=weights)
    np.testing.assert_allclose(pipe[-1].prototypes_, direct.prototypes_)


@each([GRLVQ(fixed_relevance={0: 0.0, 2: 0.25}), GMLVQ(fixed_relevance={0: 0.0, 2: 0.25}, solver="lbfgs"),
       GMLVQ(fixed_relevance={0: 0.0, 2: 0.25}), LGMLVQ(fixed_relevance={0: 0.0, 2: 0.25})])  # fmt: skip
def test_a_relevance_fixed_by_the_user_stays(model):
    X, y = scaled("wine")
    model.fit(X, y)
    relevance = np.atleast_2d(model.relevance_)
    np.testing.assert_allclose(relevance[:, [0, 2]], [[0.0, 0.25]] * len(relevance), atol=1e-12)
    np.testing.assert_allclose(relevance.sum(axis=1), 1)
    assert model.score(X, y) > 0.95


def test_features_are_fixed_by_name_and_omega_is_given():
    X, y = scaled("iris")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = GMLVQ(fixed_relevance={"c": 0.0}).fit(frame, y)
    assert model.relevance_[2] == 0
    with pytest.raises(ValueError, match="feature 'e'"):
        GMLVQ(fixed_relevance={"e": 0.0}).fit(frame, y)
    given = GMLVQ(initial_omega=[[0.0, 0, 1, 0], [0, 0, 0, 1]], max_iter=1).fit(X, y)
    assert given.omega_.shape == (2, 4)
    random = GMLVQ(initial_omega="random", solver="lbfgs", random_state=3).fit(X, y)
    np.testing.assert_allclose(random.lambda_, GMLVQ(solver="lbfgs").fit(X, y).lambda_, atol=2e-3)


def test_omega_has_no_part_in_the_null_space():
    """More features than examples: directions in which no two examples differ have no relevance."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 200))
    y = (X[:, 0] > 0).astype(int)
    X += 3.0
    V = np.linalg.svd(X - X.mean(axis=0), full_matrices=True)[2]
    null = V[59:]
    for model in (GMLVQ(), GMLVQ(solver="lbfgs"), LGMLVQ(max_iter=10)):
        model.fit(X, y)
        assert np.abs(model.omega_ @ null.T).max() < 1e-10
    free = GMLVQ(row_space=False).fit(X, y)
    assert np.abs(free.omega_ @ null.T).max() > 1e-4


def test_auc_as_cost():
    X, y = clusters(P=300, C=2, N=3, seed=7)
    plain, auc = GMLVQ(solver="lbfgs").fit(X, y), GMLVQ(cost="auc", solver="lbfgs").fit(X, y)
    ours, theirs = (roc_auc_score(y, model.decision_function(X)) for model in (auc, plain))
    assert ours >= theirs - 1e-3
    assert GLVQ(cost="auc", solver="stochastic", random_state=0).fit(X, y).score(X, y) > 0.7
    with pytest.raises(ValueError, match="y holds 3"):
        GLVQ(cost="auc").fit(*clusters())


def test_partial_fit_goes_on_where_it_was():
    X, y = clusters(P=600, seed=2)
    for model in (GLVQ(), GRLVQ(), GMLVQ(rank=2), LGMLVQ(), RSLVQ(), MRSLVQ()):
        model = clone(model).set_params(random_state=0)
        for k in range(20):
            part = slice(30 * k, 30 * k + 30)
            model.partial_fit(X[part], y[part], classes=[0, 1, 2] if k == 0 else None)
        assert model.n_seen_ == 600
        assert model.n_iter_ == 20
        assert model.score(X, y) > 0.85
        before = model.prototypes_.copy()
        model.partial_fit(X[:5], y[:5])
        assert 0 < np.abs(model.prototypes_ - before).max() < 0.5
    fitted = GLVQ().fit(X, y)
    before = fitted.prototypes_.copy()
    assert np.abs(fitted.partial_fit(X[:30], y[:30]).prototypes_ - before).max() > 0


def test_histograms_by_divergence():
    X, y = clusters(P=150, histograms=True)
    centroids = NearestCentroid().fit(X, y).score(X, y)
    for name in ("kullback_leibler", "cauchy_schwarz", "gamma", "renyi"):
        model = GLVQ(distance=name).fit(X, y)
        assert model.score(X, y) > centroids, name
        assert (model.prototypes_ > 0).all()
        np.testing.assert_allclose(model.prototypes_.sum(axis=1), 1)


def test_any_distance_and_an_own_one():
    X, y = clusters(P=150)
    for name in set(distances.NAMES) - {"kullback_leibler", "cauchy_schwarz", "gamma", "renyi"}:
        assert GLVQ(distance=name).fit(X, y).score(X, y) > 0.6, name
    plain = GLVQ().fit(X, y)
    own = GLVQ(distance=(lambda X, w: ((X - w) ** 2).sum(axis=1), lambda X, w: 2 * (w - X))).fit(X, y)
    np.testing.assert_allclose(own.distances(X), plain.distances(X), rtol=1e-3, atol=1e-3)


def refuses(model, X, y, match, **options):
    with pytest.raises(ValueError, match=match):
        model.fit(X, y, **options)


def test_bad_input_in_sentences():
    X, y = clusters()
    refuses(
        GLVQ(prototypes_per_class=30),
        X,
        y,
        "Class 0 has 20 .* but 30 prototype",
    )
    refuses(GLVQ(), X, np.zeros(60), "only one class")
    refuses(GLVQ(distance="mahalanobis"), X * [0, 1, 1, 1], y, "constant within")
    refuses(GLVQ(distance="renyi"), X, y, "negative")
    refuses(GLVQ(distance="renyi"), with_gaps(clusters(histograms=True)[0]), y, "NaN")
    refuses(GLVQ(distance=(lambda X, w: X.sum(axis=1) ** 2, lambda X, w: X)), X, y, "central differences")
    refuses(GLVQ(), np.where(np.arange(60)[:, None] == 4, np.nan, X), y, "Row 4 of X has no observed value")
    refuses(GMLVQ(), np.where(np.arange(4) == 2, np.nan, X), y, "Feature 2 of X has no observed value")
    refuses(GLVQ(), 1e200 * X, y, "overflow")
    refuses(GMLVQ(rank=9), X, y, "rank=9 is more than the 4 feature")
    refuses(GMLVQ(fixed_relevance={7: 0.1}), X, y, "feature 7")
    refuses(GMLVQ(fixed_relevance={0: 0.8, 1: 0.7}), X, y, "sum is 1.5")
    refuses(GMLVQ(initial_omega=np.eye(3)), X, y, r"shape \(3, 4\)")
    refuses(GLVQ(cost_matrix=np.ones((2, 2))), X, y, "must be 3 x 3")
    refuses(GLVQ(cost_matrix=np.zeros((3, 3))), X, y, "positive prices")
    refuses(GLVQ(), X, y, "positive weight", sample_weight=(y == 0).astype(float))
    with pytest.raises(ValueError, match="not among the classes seen first"):
        GLVQ().partial_fit(X, y, classes=[0, 1, 2]).partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="class frequencies"):
        GLVQ(class_weight="balanced").partial_fit(X, y, classes=[0, 1, 2])


def accuracy(model, name):
    X, y = SETS[name](return_X_y=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=folds)


@pytest.mark.slow
@each([GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), MRSLVQ()])
def test_defaults_never_lose_to_nearest_centroid(model):
    for name in ("iris", "wine", "breast_cancer"):
        assert accuracy(model, name).mean() >= accuracy(NearestCentroid(), name).mean(), name


# NearestCentroid remarks that some pixels are always white.
@pytest.mark.filterwarnings("ignore:self.within_class_std_dev_")
@pytest.mark.slow
def test_defaults_never_lose_to_nearest_centroid_on_digits():
    X, y = scaled("digits")
    train = np.arange(len(y)) % 3 > 0
    least = NearestCentroid().fit(X[train], y[train]).score(X[~train], y[~train])
    for model in (GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), MRSLVQ()):
        assert model.fit(X[train], y[train]).score(X[~train], y[~train]) > least + 0.02, model


@pytest.mark.slow
@pytest.mark.parametrize(("name", "best"), [("wine", 0.994), ("breast_cancer", 0.979)])
def test_local_matrices_stopped_early_reach_the_best_peer(name, best):
    found = accuracy(LGMLVQ(), name)
    assert found.mean() >= best - found.std() / np.sqrt(10)
