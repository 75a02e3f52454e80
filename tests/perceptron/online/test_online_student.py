"""On-line students: the plain twin, streams split anywhere, the flow as the limit, drifting teachers."""

import math

import numba
import numpy as np
import pytest
from examples import teacher
from scipy.sparse import csr_array
from scipy.stats import norm

from markone import Hebb, OnlineStudent, Rosenblatt
from markone.data.teachers import drifting_examples
from markone.perceptron.online.online_student import RULES
from markone.perceptron.theory.online import drift, optimal_rate

HOW = {"eta": 0.8, "c": 0.3, "decay": 0.5, "noise": 0.1, "drift": 0.05}


def plain(rule, xi, S, eta, c, decay, noise, drift):
    """One pass, equation by equation."""
    P, N = xi.shape
    w = np.zeros(N)
    flow = drift_of(rule, np.maximum(np.arange(P), 0.5) / N, drift, noise)
    for mu in range(P):
        h = xi[mu] @ xi[mu] / N
        E, length = S[mu] * (w @ xi[mu]), np.linalg.norm(w)
        t = E / (length * math.sqrt(h)) if length > 0 else 0.0
        z = t * flow.g[mu]
        first = 1 / math.sqrt(h)
        f = {
            "hebb": 1.0,
            "rosenblatt": 1.0 if c >= E else 0.0,
            "lms": eta * (1 - E) / h,
            "adatron": (-eta * min(E, 0.0) / h) if length > 0 else first,
            "optimal": first
            if length == 0
            else length * 0.8 / flow.g[mu] * norm.pdf(z) / (noise + 0.8 * norm.cdf(z)) / math.sqrt(h),
            "optimal_rate": first
            if length == 0
            else optimal_rate.best_rate_at(flow.theta[mu], noise) * length * (E <= 0) / math.sqrt(h),
        }[rule]
        w = (1 - decay / N) * w + f * S[mu] * xi[mu] / N
    return w


def drift_of(rule, alpha, delta, noise):
    return drift.trajectory(alpha, rule if rule.startswith("optimal") else "optimal", delta, noise)


@pytest.mark.parametrize("rule", RULES)
def test_equals_the_plain_pass_and_may_be_split_anywhere(rule):
    xi, S = teacher(60, 10, noise=0.1)
    expected = plain(rule, xi, S, **HOW)
    student = OnlineStudent(rule=rule, fit_intercept=False, **HOW)
    np.testing.assert_allclose(student.fit(xi, S).coef_[0], expected, rtol=1e-8, atol=1e-12)
    assert student.n_seen_ == 60
    stream = OnlineStudent(rule=rule, fit_intercept=False, **HOW)
    for part in (slice(0, 7), slice(7, 8), slice(8, 60)):
        stream.partial_fit(xi[part], S[part], classes=[-1, 1])
    np.testing.assert_allclose(stream.coef_[0], expected, rtol=1e-8, atol=1e-12)
    assert stream.n_seen_ == 60
    assert 0 < stream.n_updates_[0] <= 60


def test_hebb_and_rosenblatt_are_the_students_of_that_name():
    xi, S = teacher(50, 12)
    np.testing.assert_allclose(OnlineStudent(rule="hebb").fit(xi, S).coef_, Hebb().fit(xi, S).coef_)
    once = Rosenblatt(c=0.2).partial_fit(xi, S, classes=[-1, 1])
    np.testing.assert_allclose(OnlineStudent(c=0.2).fit(xi, S).coef_, once.coef_)


@pytest.mark.parametrize("rule", RULES)
def test_a_drifting_teacher_is_followed_as_the_flow_says(rule):
    N, alpha, errors = 200, 8.0, []
    for seed in range(10):
        xi, S, w_star = drifting_examples(round(alpha * N), N, 0.05, 0.1, seed)
        student = OnlineStudent(rule=rule, fit_intercept=False, decay=0.2, noise=0.1, drift=0.05).fit(xi, S)
        w = student.coef_[0]
        errors.append(math.acos(w @ w_star[-1] / (np.linalg.norm(w) * math.sqrt(N))) / math.pi)
    limit = drift.generalization_error(alpha, rule, 0.05, noise=0.1, decay=0.2)
    assert abs(np.mean(errors) - limit) < 3.5 * np.std(errors, ddof=1) / math.sqrt(10) + 1 / N


def test_an_example_on_the_plane_has_a_score_with_the_sign_of_its_label():
    # eta = 1 corrects the second example to E = 0 exactly: sign(0) = +1 (1.5).
    xi, S = np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([1, -1])
    student = OnlineStudent(rule="adatron", fit_intercept=False).fit(xi, S)
    assert student.coef_[0] @ xi[1] == 0
    assert student.predict(xi).tolist() == [1, 1]
    assert (student.decision_function(xi) > 0).tolist() == [True, True]


def test_decay_must_be_below_N():
    xi, S = teacher(20, 5)
    with pytest.raises(ValueError, match=r"decay is 5, .* must be below one: N is 5"):
        OnlineStudent(decay=5.0, fit_intercept=False).fit(xi, S)
    with pytest.raises(ValueError, match="rule"):
        OnlineStudent(rule="newton").fit(xi, S)


def above(E):
    return 1.0 if E <= 0.2 else 0.0


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_user_defined_function_equals_the_named_rule(compiled, sparse):
    """Bitwise: the same example, the same step."""
    xi, S = teacher(60, 12)
    X = csr_array(xi) if sparse else xi
    rule = numba.njit(above) if compiled else above
    own = OnlineStudent(rule=rule, decay=0.1, record="presentations").fit(X, S)
    known = OnlineStudent(rule="rosenblatt", c=0.2, decay=0.1, record="presentations").fit(X, S)
    np.testing.assert_array_equal(own.coef_, known.coef_)
    np.testing.assert_array_equal(own.history_.table[1:], known.history_.table[1:])  # the start is NaN
    assert own.n_updates_ == known.n_updates_


def test_a_function_that_is_not_finite_is_named():
    xi, S = teacher(20, 5)
    with pytest.raises(ValueError, match=r"'endless' was not finite at example 1"):
        OnlineStudent(rule=endless).fit(xi, S)


def endless(E):
    return float("nan")


def test_a_function_continues_a_stream():
    xi, S = teacher(60, 12)
    stream = OnlineStudent(rule=above)
    for part in (slice(0, 20), slice(20, 60)):
        stream.partial_fit(xi[part], S[part], classes=[-1, 1])
    np.testing.assert_array_equal(stream.coef_, OnlineStudent(rule=above).fit(xi, S).coef_)
