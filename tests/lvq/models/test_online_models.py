"""LVQ1, OLVQ1, LVQ2.1, LVQ3 and Matrix LVQ1: plain twins, identities, streams, weights, missing values."""

import numpy as np
import pytest
from online_twins import train, train_matrix
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state

from markone.lvq.models.lvq1 import LVQ1, LVQ3, LVQ21, OLVQ1, MatrixLVQ1

STUDENTS = {"lvq1": LVQ1, "olvq1": OLVQ1, "lvq21": LVQ21, "lvq3": LVQ3}
ALL = [*STUDENTS.values(), MatrixLVQ1]
SEED = 7
# What the students draw from random_state for the order of presentation.
DRAWN = int(check_random_state(SEED).randint(2**31 - 1))
C = np.array([0, 0, 1, 1, 2, 2])


@pytest.fixture(scope="module")
def examples():
    rng = np.random.default_rng(3)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 4)) + 1.2 * np.eye(4)[y]
    return X, y, X[:6][np.argsort(y[:6], kind="stable")] + 0.1


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("order", ["cyclic", "random", "shuffled"])
@pytest.mark.parametrize("rule", STUDENTS)
def test_it_equals_the_book(rule, order, missing, examples):
    X, y, start = examples
    if missing:
        X = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
        X[np.isnan(X).all(axis=1)] = 0.0
    how = {"eta": 0.1, "order": order} | ({} if rule == "olvq1" else {"schedule": "inverse", "tau": 2.0})
    w, errors = train(rule, X, y, start, C, DRAWN, epochs=4, **how)
    student = STUDENTS[rule](
        initial_prototypes=start, initial_labels=C, max_iter=4, tol=0, keep="last", random_state=SEED, **how
    ).fit(X, y)
    assert student.prototypes_ == pytest.approx(w, rel=1e-12)
    assert student.trace_["errors"].tolist() == errors
    assert student.n_iter_ == 4


@pytest.mark.parametrize("schedule", ["constant", "exponential"])
def test_schedules(schedule, examples):
    X, y, start = examples
    w, _ = train("lvq1", X, y, start, C, DRAWN, epochs=3, eta=0.2, order="cyclic", schedule=schedule, tau=1.5)
    student = LVQ1(
        initial_prototypes=start, initial_labels=C, eta=0.2, schedule=schedule, tau=1.5, order="cyclic"
    ).set_params(max_iter=3, keep="last", tol=0)
    assert student.fit(X, y).prototypes_ == pytest.approx(w, rel=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_matrix_lvq1_equals_its_twin(missing, examples):
    X, y, start = examples
    if missing:
        X = X.copy()
        X[::3, 1] = np.nan
    w, omega = train_matrix(X, y, start, C, DRAWN, eta=0.1, eta_omega=0.02, epochs=3, tau=2.0)
    student = MatrixLVQ1(initial_prototypes=start, initial_labels=C, eta=0.1, eta_omega=0.02, tau=2.0)
    student.set_params(max_iter=3, keep="last", tol=0, random_state=SEED).fit(X, y)
    assert student.prototypes_ == pytest.approx(w, rel=1e-10)
    assert student.lambda_ == pytest.approx(omega.T @ omega, rel=1e-9, abs=1e-12)
    assert np.trace(student.lambda_) == pytest.approx(1)
    assert student.relevance_ == pytest.approx(np.diag(student.lambda_))
    image = student.transform(X)
    assert image.shape == (60, 4)
    if not missing:
        q = student.prototypes_ @ student.omega_.T
        assert ((image[:, None] - q) ** 2).sum(-1) == pytest.approx(student.distances(X), rel=1e-9)


def test_matrix_lvq1_without_omega_is_lvq1(examples):
    X, y, _ = examples
    plain = LVQ1(random_state=SEED).fit(X, y)
    matrix = MatrixLVQ1(eta_omega=0, random_state=SEED).fit(X, y)
    assert matrix.prototypes_ == pytest.approx(plain.prototypes_, rel=1e-9)
    assert matrix.lambda_ == pytest.approx(np.eye(4) / 4)


def test_the_notes_rate_of_any_distance_is_the_compiled_one(examples):
    """(5.9) with the squared Euclidean distance as the user's own is (5.4)."""
    X, y, start = examples
    own = (lambda X, w: ((X - w) ** 2).sum(axis=1), lambda X, w: 2 * (w - X))
    for order in ("cyclic", "random", "shuffled"):
        how = {
            "initial_prototypes": start,
            "initial_labels": C,
            "order": order,
            "max_iter": 3,
            "keep": "last",
        }
        a = LVQ1(distance="euclidean", random_state=SEED, **how).fit(X, y)
        b = LVQ1(distance=own, random_state=SEED, **how).fit(X, y)
        assert a.prototypes_ == pytest.approx(b.prototypes_, rel=1e-9)
        assert a.trace_["cost"] == pytest.approx(b.trace_["cost"], rel=1e-9)


@pytest.mark.parametrize("distance", ["minkowski", "kullback_leibler", "mahalanobis"])
def test_other_distances_learn(distance, examples):
    X, y, _ = examples
    if distance == "kullback_leibler":
        X = np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)
    student = LVQ1(distance=distance, max_iter=5, random_state=0).fit(X, y)
    assert student.score(X, y) > 0.6
    assert np.array_equal(student.predict(X), student.prototype_labels_[student.distances(X).argmin(axis=1)])


def test_lvq3_without_epsilon_is_lvq21(examples):
    X, y, start = examples
    how = {"initial_prototypes": start, "initial_labels": C, "random_state": 0, "keep": "last"}
    assert LVQ3(epsilon=0, **how).fit(X, y).prototypes_ == pytest.approx(LVQ21(**how).fit(X, y).prototypes_)


def test_olvq1_counts_all_examples_alike():
    """Right wins only: from eta = 1/2 on, the prototype is the mean of its start (once) and its examples."""
    X, y = np.array([[1.0], [3.0], [2.5], [-9.0]]), [0, 0, 0, 1]
    student = OLVQ1(initial_prototypes=[[0.0], [-9.0]], initial_labels=[0, 1], eta=0.999999, order="cyclic")
    student.set_params(max_iter=1, keep="last").fit(X, y)
    assert student.prototypes_[0, 0] == pytest.approx(6.5 / 4, abs=1e-5)
    assert student.rates_[0] == pytest.approx(1 / 4, abs=1e-5)


@pytest.mark.parametrize("kind", ALL)
def test_a_stream_is_a_cyclic_epoch_after_another(kind, examples):
    X, y, start = examples
    student = kind(initial_prototypes=start, initial_labels=C, order="cyclic", max_iter=3, tol=0, keep="last")
    whole = student.fit(X, y).prototypes_
    stream = kind(initial_prototypes=start, initial_labels=C)
    for _ in range(3):
        stream.partial_fit(X, y, classes=[0, 1, 2])
    assert stream.prototypes_ == pytest.approx(whole, rel=1e-9)
    assert stream.n_iter_ == 3
    assert not hasattr(stream, "trace_")
    before = student.prototypes_.copy()
    assert not np.allclose(student.partial_fit(X, y).prototypes_, before)  # a fit can go on as a stream


def test_streams_say_what_they_miss(examples):
    X, y, _ = examples
    student = LVQ1().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="holds the label 5, which is not among the classes seen first"):
        student.partial_fit(X, np.where(y == 0, 5, y))


@pytest.mark.parametrize("kind", ALL)
def test_weights(kind, examples):
    """Weight zero is ignored; weight k with a small rate is k presentations, to first order in it."""
    X, y, start = examples
    how = {"initial_prototypes": start, "initial_labels": C, "order": "cyclic", "max_iter": 1, "keep": "last"}
    some = np.arange(60) % 5 > 0
    a = kind(**how).fit(X, y, sample_weight=some)
    b = kind(**how).fit(X[some], y[some])
    assert a.prototypes_ == pytest.approx(b.prototypes_)
    if kind is not OLVQ1:
        slow = how | {"eta": 1e-7, "schedule": "constant"}
        twice = kind(**slow).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2)).prototypes_ - start
        weighed = kind(**slow).fit(X, y, sample_weight=np.full(60, 2.0)).prototypes_ - start
        assert weighed == pytest.approx(twice, rel=1e-3, abs=1e-12)


@pytest.mark.parametrize("kind", ALL)
def test_float32_and_other_labels(kind, examples):
    X, y, _ = examples
    names = np.array(["b", "c", "a"])[y]
    double = kind(random_state=0, max_iter=3).fit(X, names)
    single = kind(random_state=0, max_iter=3).fit(X.astype(np.float32), names)
    assert single.prototypes_.dtype == np.float32
    assert single.prototypes_ == pytest.approx(double.prototypes_, abs=1e-4)
    assert set(double.predict(X)) <= {"a", "b", "c"}
    assert double.decision_function(X).shape == (60, 3)


def test_the_best_is_kept(examples):
    """LVQ2.1 at a large rate diverges; the pocket holds the best state, the initial one included."""
    X, y, _ = examples
    best = LVQ21(eta=0.5, schedule="constant", random_state=0).fit(X, y)
    last = LVQ21(eta=0.5, schedule="constant", random_state=0, keep="last", max_iter=20).fit(X, y)
    assert best.score(X, y) > last.score(X, y)
    assert best.score(X, y) >= 1 - LVQ21(max_iter=1, random_state=0).fit(X, y).trace_["errors"][0] / 60


def test_it_stops_when_the_prototypes_rest(examples):
    X, y, _ = examples
    assert LVQ1(schedule="exponential", tau=1.0, max_iter=500, random_state=0).fit(X, y).n_iter_ < 30


def test_automatic_numbers():
    """One prototype per class where class means suffice, else three, fewer with fewer examples."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-5, 1, (30, 2)), rng.normal(5, 1, (30, 2))])
    y = np.arange(60) // 30
    assert len(LVQ1().fit(X, y).prototypes_) == 2
    assert len(LVQ1().fit(X, np.arange(60) % 2).prototypes_) == 6
    assert len(LVQ1().fit(X[:7], [0, 1, 0, 1, 0, 1, 1]).prototypes_) == 6
    assert len(LVQ1().fit(np.zeros((8, 2)), np.arange(8) % 2).prototypes_) == 2
    assert len(LVQ1(prototypes_per_class={0: 2, 1: 1}).fit(X, y).prototypes_) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"eta": 1.5}, "'eta' parameter of LVQ1 must be a float in the range"),
        ({"schedule": "linear"}, "'schedule' parameter of LVQ1 must be a str among"),
        ({"distance": "quadratic"}, "has a metric to be learned, which this model does not do"),
        ({"distance": "nearest"}, "is none of"),
        ({"prototypes_per_class": 40}, "has 20 example"),
    ],
)
def test_nonsense(change, sentence, examples):
    with pytest.raises(ValueError, match=sentence):
        LVQ1(**change).fit(*examples[:2])


def test_nonsense_of_the_matrix(examples):
    X, y, _ = examples
    with pytest.raises(ValueError, match="rank = 5 is larger than the 4 feature"):
        MatrixLVQ1(rank=5).fit(X, y)
    assert MatrixLVQ1(rank=2, random_state=0).fit(X, y).omega_.shape == (2, 4)


# Pixels of the digits that are always white: of no concern to class means.
@pytest.mark.filterwarnings("ignore:self.within_class_std_dev_")
@pytest.mark.slow
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_defaults_do_not_lose_to_class_means(load):
    X, y = load(return_X_y=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)

    def accuracy(model):
        return cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=folds).mean()

    means = accuracy(NearestCentroid())
    for kind in ALL:
        assert accuracy(kind(random_state=0)) >= means - 1e-9, kind
