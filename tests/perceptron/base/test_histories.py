"""Histories equal a plain twin step by step, and recording does not change the student."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from markone.base.history import History, history_of_estimator
from markone.data import teacher_examples
from markone.perceptron import (
    LMS,
    Adaline,
    AdaTron,
    Hebb,
    KernelAdaTron,
    MinOver,
    OnlineStudent,
    PerceptronRule,
    Pocket,
    Rosenblatt,
)

STUDENTS = [
    Rosenblatt(),
    Rosenblatt(c=0.5, eta=0.3, order="random", random_state=1),
    Rosenblatt(run_on="embeddings", order="shuffled", random_state=1),
    Pocket(random_state=0, max_iter=20),
    Pocket(method="ratchet", random_state=0, max_iter=20),
    MinOver(),
    Adaline(solver="sequential", max_iter=10),
    LMS(max_iter=10),
    PerceptronRule(),
    AdaTron(solver="sequential", random_state=0, max_iter=30),
    AdaTron(solver="sequential", C=0.1, random_state=0, max_iter=30),
    OnlineStudent(rule="adatron"),
    OnlineStudent(rule="hebb", decay=0.5),
]


def stored(student, X):
    """Dense rows, and for one student of each loop float32 and sparse rows: each takes seconds to compile."""
    yield X
    if str(student) in ("Rosenblatt()", "LMS(max_iter=10)", "MinOver()"):
        yield X.astype(np.float32)
        yield sparse.csr_array(np.round(X))


def fitted(student, X, y):
    with warnings.catch_warnings():
        # Some are stopped early here; their warnings are tested elsewhere.
        warnings.simplefilter("ignore")
        return student.fit(X, y)


@pytest.fixture(scope="module")
def examples():
    return teacher_examples(60, 20, seed=1)[:2]


@pytest.mark.parametrize("record", ["updates", "presentations"])
@pytest.mark.parametrize("student", STUDENTS, ids=str)
def test_the_recorded_student_is_the_same_to_the_bit(student, record, examples):
    for X in stored(student, examples[0]):
        plain = fitted(clone(student), X, examples[1])
        recorded = fitted(clone(student).set_params(record=record), X, examples[1])
        np.testing.assert_array_equal(plain.coef_, recorded.coef_)
        np.testing.assert_array_equal(plain.intercept_, recorded.intercept_)
        assert plain.n_updates_ == recorded.n_updates_
        assert not hasattr(plain, "history_")


@pytest.mark.parametrize("student", STUDENTS, ids=str)
def test_the_last_row_is_the_student(student, examples):
    recorded = fitted(clone(student).set_params(record="updates"), *examples)
    history = recorded.history_
    name = "pocket_w" if isinstance(student, Pocket) else "w"
    end = np.append(recorded.coef_, recorded.intercept_)
    # The ratchet compares the current run once more after the last step; AdaTron that was stopped early
    # returns the best student found.
    stopped = isinstance(student, AdaTron) and not recorded.converged_
    if not stopped and getattr(student, "method", "") != "ratchet":
        np.testing.assert_allclose(history.states[name][-1], end, atol=1e-12)
    assert history["updates"][-1] == recorded.n_updates_
    assert history["example"][0] == -1
    assert len(history) == len(history.w) == len(history.kappa) == len(history.Q)


def test_kernel_adatron_keeps_its_strengths(examples):
    options = {"solver": "sequential", "random_state": 0}
    plain = KernelAdaTron(**options).fit(*examples)
    recorded = KernelAdaTron(**options, record="updates").fit(*examples)
    np.testing.assert_array_equal(plain.embedding_, recorded.embedding_)
    np.testing.assert_array_equal(recorded.history_.x[-1], recorded.embedding_)
    assert recorded.history_.kappa[-1] == pytest.approx(recorded.stability_)
    assert recorded.history_.errors[-1] == 0


def rosenblatt_twin(xi, S, c, eta):
    """(3.12) with (3.15), with a row for every presentation."""
    P, N = xi.shape
    w, x, rows, t, mistakes = np.zeros(N), np.zeros(P), [], 0, P
    while mistakes:
        mistakes = 0
        for mu in range(P):
            t, E = t + 1, w @ xi[mu] * S[mu]
            dx = eta if c >= E else 0.0
            w, mistakes = w + dx / N * xi[mu] * S[mu], mistakes + (dx > 0)
            x[mu] += dx
            rows.append((t, mu, E, w @ xi[mu] * S[mu], dx, w.copy(), x.copy()))
    return rows


@pytest.mark.parametrize("record", ["updates", "presentations"])
@pytest.mark.parametrize("run_on", ["weights", "embeddings"])
def test_rosenblatt_equals_its_twin_step_by_step(record, run_on, examples):
    xi, S = examples
    student = Rosenblatt(c=0.3, eta=0.7, record=record, run_on=run_on, fit_intercept=False).fit(xi, S)
    rows = [r for r in rosenblatt_twin(xi, S, 0.3, 0.7) if record == "presentations" or r[4] > 0]
    h = student.history_
    assert h.complete
    assert len(h) == len(rows) + 1 == h.n_events + 1
    for k, (t, mu, E, after, dx, w, x) in enumerate(rows, start=1):
        row = h.table[k]
        assert (row["step"], row["example"], row["epoch"]) == (t, mu, (t - 1) // len(S) + 1)
        np.testing.assert_allclose([row["E"], row["E_after"], row["change"]], [E, after, dx], atol=1e-12)
        np.testing.assert_allclose(h.w[k], w, atol=1e-12)
        np.testing.assert_allclose(h.x[k], x, atol=1e-12)
        length = np.linalg.norm(w)
        assert h.Q[k] == pytest.approx(length**2)
        assert np.isclose(h.kappa[k], (S * (xi @ w)).min() / length if length else np.nan, equal_nan=True)


def test_minover_equals_its_twin_step_by_step(examples):
    xi, S = examples
    P, N = xi.shape
    h = MinOver(record="updates", fit_intercept=False, stop="never", max_iter=3).fit(xi, S).history_
    w = np.zeros(N)
    for row in h.table[1:]:
        E = S * (xi @ w)
        mu = int(E.argmin())
        w = w + xi[mu] * S[mu] / N
        assert row["example"] == mu
        np.testing.assert_allclose([row["E"], row["E_after"]], [E[mu], S[mu] * (xi[mu] @ w)], atol=1e-12)
    np.testing.assert_allclose(h.w[-1], w, atol=1e-12)
    assert len(h) == 3 * P + 1


def test_lms_equals_its_twin_step_by_step(examples):
    xi, S = examples
    h = (
        LMS(eta0=0.01, schedule="constant", max_iter=2, fit_intercept=False, record="updates")
        .fit(xi, S)
        .history_
    )
    w = np.zeros(xi.shape[1])
    for t, row in enumerate(h.table[1:]):
        mu = t % len(S)
        error = S[mu] - xi[mu] @ w
        np.testing.assert_allclose(row["E"], S[mu] * (xi[mu] @ w), atol=1e-12)
        w = w + 0.01 * error * xi[mu]
        np.testing.assert_allclose(row["change"], 0.01 * error * S[mu] * xi.shape[1], atol=1e-12)
        np.testing.assert_allclose(h.w[t + 1], w, atol=1e-12)


def test_long_runs_are_thinned_by_the_rule(examples):
    full = MinOver(record="updates", stop="never", max_iter=60).fit(*examples).history_
    long = MinOver(record="updates", stop="never", max_iter=500).fit(*examples).history_
    assert full.complete
    assert not long.complete
    assert long.n_events == 500 * 60
    assert len(long) <= 4096 + 2
    steps = long["step"]
    # Event e is step e + 1: multiples of the stride are kept, and the last.
    np.testing.assert_array_equal(steps[1:-1], np.arange(len(steps) - 2) * long.stride + 1)
    assert steps[-1] == long.n_events
    np.testing.assert_array_equal(steps[1 : len(full)][steps[1 : len(full)] <= 3600] % long.stride, 1)
    k = int(np.searchsorted(full["step"], steps[5]))
    np.testing.assert_array_equal(full.x[k], long.x[5])
    assert full["E"][k] == long["E"][5]


def test_more_than_two_classes_have_one_history_each():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = np.array([[4.0, 0.0], [-2.0, 3.5], [-2.0, -3.5]])[y] + rng.standard_normal((90, 2)) / 3
    student = fitted(Rosenblatt(record="updates"), X, y)
    assert [type(h) for h in student.history_] == [History] * 3
    assert history_of_estimator(student, 2) is student.history_[2]
    with pytest.raises(ValueError, match="which = 3"):
        history_of_estimator(student, 3)


def test_to_pandas_and_pickle(examples):
    history = Rosenblatt(record="updates").fit(*examples).history_
    frame = history.to_pandas()
    assert {"step", "E", "E_after", "change", "updates", "Q", "kappa", "errors"} <= set(frame.columns)
    assert len(frame) == len(history)
    assert type(history.table) is np.ndarray
    again = pickle.loads(pickle.dumps(history))
    np.testing.assert_array_equal(again.w, history.w)
    assert "Rosenblatt" in repr(again)


def test_without_a_history_the_error_explains_how_to_record(examples):
    with pytest.raises(ValueError, match=r"Set Rosenblatt\(record='updates'\) and fit again"):
        history_of_estimator(Rosenblatt().fit(*examples))
    with pytest.raises(ValueError, match="Hebb has no steps to record"):
        history_of_estimator(Hebb().fit(*examples))
    with pytest.raises(ValueError, match="solver='sequential'"):
        AdaTron(record="updates").fit(*examples)
    with pytest.raises(ValueError, match="solver='sequential'"):
        KernelAdaTron(record="updates").fit(*examples)
    with pytest.raises(ValueError, match="solver='sequential'"):
        Adaline(record="updates").fit(*examples)
    with pytest.raises(AttributeError, match="holds no 'x'"):
        _ = LMS(record="updates", max_iter=2).fit(*examples).history_.x


def test_a_new_fit_deletes_the_history(examples):
    student = Rosenblatt(record="updates").fit(*examples)
    assert not hasattr(student.set_params(record=None).fit(*examples), "history_")


@pytest.mark.parametrize(
    "student",
    [Rosenblatt(), Rosenblatt(run_on="embeddings"), LMS(), PerceptronRule(), OnlineStudent(rule="E < 0.5")],
    ids=str,
)
def test_a_stream_keeps_the_history_of_its_last_batch(student, examples):
    X, y = examples
    silent, recorded = clone(student), clone(student).set_params(record="presentations")
    for part in (slice(0, 25), slice(25, 60)):
        start = None if not hasattr(recorded, "coef_") else recorded._weights()[0]
        silent.partial_fit(X[part], y[part], classes=[-1, 1])
        recorded.partial_fit(X[part], y[part], classes=[-1, 1])
    history = recorded.history_
    np.testing.assert_array_equal(recorded.coef_, silent.coef_)
    assert not hasattr(silent, "history_")
    assert len(history) == 36
    np.testing.assert_allclose(history.w[0], start, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(history.w[-1], recorded._weights()[0], rtol=1e-12, atol=1e-15)
    assert history["example"][1:].tolist() == list(range(35))
