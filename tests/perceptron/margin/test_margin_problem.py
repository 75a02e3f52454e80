"""AdaTron's quadratic problem: plain twin, independent solvers, Kuhn-Tucker, limits, certificates."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls
from scipy.stats import ortho_group

from markone.numerics._rows import Sparse, squared_norms
from markone.perceptron.margin._ascent import (
    embed_examples,
    potentials_of_examples,
    shrinking_sweeps,
    sweep_examples,
)
from markone.perceptron.margin.gram import Gram
from markone.perceptron.margin.newton import follow_direction
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.margin.solve import LIMIT, solve_margin_problem


def teacher(P, N, flipped=0.0, seed=0):
    rng = np.random.default_rng(seed)
    xi = rng.standard_normal((P, N))
    S = np.sign(xi @ rng.standard_normal(N))
    S[rng.random(P) < flipped] *= -1
    return xi, S


def correlations(xi, S):
    Z = S[:, None] * xi
    return Z @ Z.T / xi.shape[1]


def adatron_sweep(C, x, gamma, eta):
    """(3.76), (4.6) in embedding strengths, with the rate relative to 1 / C_mumu."""
    for mu in range(len(x)):
        x[mu] = min(max(0.0, x[mu] + eta * (1.0 - C[mu] @ x) / C[mu, mu]), gamma)


def oracle(xi, S):
    """The largest stability by non-negative least squares; zero if not separable.

    Unreliable on +-1 inputs: scipy's nnls can stop there with a residual that is not minimal.
    """
    Z = S[:, None] * xi
    A = np.vstack([Z.T, np.ones(len(Z))])
    x, _ = nnls(A, np.append(np.zeros(xi.shape[1]), 1.0), maxiter=100 * len(Z))
    return np.linalg.norm(Z.T @ x) / x.sum()


def sparse(xi):
    csr = sp.csr_array(xi)
    return Sparse(csr.data, csr.indices, csr.indptr, xi.shape[1])


def check_kuhn_tucker(xi, S, gamma, found, tol=1e-11):
    x, E = found.x, correlations(xi, S) @ found.x
    np.testing.assert_allclose(found.w, S * x @ xi / xi.shape[1], atol=1e-12 * np.abs(found.w).max())
    np.testing.assert_allclose(found.E, E, atol=tol)
    assert np.all(x >= 0)
    assert np.all(x <= gamma)
    assert np.all(E[x == 0] >= 1 - tol)
    assert np.all(np.abs(E[(x > 0) & (x < gamma)] - 1) <= tol)
    assert np.all(E[x == gamma] <= 1 + tol)


@pytest.mark.parametrize("gamma", [np.inf, 3.0])
@pytest.mark.parametrize("eta", [1.0, 1.5])
def test_sweep_equals_the_book(gamma, eta):
    xi, S = teacher(30, 10, 0.1)
    C, mine, x, w = correlations(xi, S), np.zeros(30), np.zeros(30), np.zeros(10)
    for _ in range(20):
        adatron_sweep(C, mine, gamma, eta)
        sweep_examples(xi, S, squared_norms(xi), np.full(30, gamma), x, w, np.arange(30), eta)
    np.testing.assert_allclose(x, mine, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(w, S * x @ xi / 10, rtol=1e-12)


def test_one_shrinking_sweep_in_cyclic_order_is_the_plain_sweep():
    xi, S = teacher(50, 20, 0.1)
    norms, gamma = squared_norms(xi), np.full(50, 2.0)
    x, w, y, v = np.zeros(50), np.zeros(20), np.zeros(50), np.zeros(20)
    sweep_examples(xi, S, norms, gamma, x, w, np.arange(50), 1.0)
    edges, state = np.array([np.inf, -np.inf]), np.array([0], dtype=np.uint64)
    shrinking_sweeps(xi, S, norms, gamma, y, v, np.arange(50), edges, 1.0, 0, state, 1)
    np.testing.assert_array_equal(x, y)


def test_shuffled_sweeps_visit_every_example_once():
    xi, S = np.eye(41), np.ones(41)
    x, w, items = np.zeros(41), np.zeros(41), np.arange(41)
    edges, state = np.array([np.inf, -np.inf]), np.array([5], dtype=np.uint64)
    n, made, high, low = shrinking_sweeps(
        xi, S, np.ones(41), np.full(41, np.inf), x, w, items, edges, 0.5, 4, state, 1
    )
    np.testing.assert_allclose(x, 0.5 * 41)
    assert (n, made, high, low) == (41, 1, 1.0, 0.0)


@pytest.mark.parametrize(("P", "N"), [(1, 5), (15, 20), (40, 20), (100, 20), (600, 30), (150, 100)])
def test_hard_margin_equals_least_squares_oracle(P, N):
    xi, S = teacher(P, N, seed=P)
    kappa = oracle(xi, S)
    climbed = solve_margin_problem(xi, S, exact=False, tol=1e-7, max_epochs=100_000, sweeps_only=True)
    assert climbed.status == "converged"
    assert climbed.lower <= kappa * (1 + 1e-12)
    assert kappa <= climbed.upper * (1 + 1e-12)
    assert climbed.upper - climbed.lower <= 1e-7 * climbed.upper
    found = solve_margin_problem(xi, S)
    assert found.status == "exact"
    assert found.lower == pytest.approx(kappa, abs=1e-10)
    assert found.upper == pytest.approx(kappa, abs=1e-10)
    check_kuhn_tucker(xi, S, np.inf, found)


@pytest.mark.parametrize("gamma", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(("P", "N"), [(25, 40), (60, 20), (800, 10)])
def test_soft_margin_meets_kuhn_tucker_and_closes_the_gap(P, N, gamma):
    xi, S = teacher(P, N, 0.2, seed=P)
    found = solve_margin_problem(xi, S, gamma)
    assert found.status == "exact"
    check_kuhn_tucker(xi, S, gamma, found)
    w, x = found.w, found.x
    primal = N / 2 * w @ w + gamma * np.maximum(1 - S * (xi @ w), 0).sum()
    dual = x.sum() - N / 2 * w @ w
    assert primal - dual <= 1e-11 * primal
    assert abs(found.gap) <= 1e-11
    climbed = solve_margin_problem(xi, S, gamma, exact=False, tol=1e-4, max_epochs=100_000, sweeps_only=True)
    # Where all examples end at a bound the sweeps alone are exact.
    assert climbed.status in ("exact", "converged")
    assert climbed.gap <= 1e-4
    np.testing.assert_allclose(climbed.w, w, atol=0.05 * np.abs(w).max())


def projected_gradient(C, gamma, steps=200_000):
    """Accelerated projected gradient ascent of (4.5)."""
    x = y = np.zeros(len(C))
    t, rate = 1.0, 1.0 / np.linalg.eigvalsh(C)[-1]
    for _ in range(steps):
        new = np.clip(y + rate * (1.0 - C @ y), 0.0, gamma)
        if (new - x) @ (1.0 - C @ y) < 0:
            t, y = 1.0, x
            continue
        t, last = (1.0 + np.sqrt(1.0 + 4.0 * t * t)) / 2.0, t
        x, y = new, new + (last - 1.0) / t * (new - x)
    return x


def test_soft_margin_equals_projected_gradient():
    xi, S = teacher(40, 15, 0.2)
    C = correlations(xi, S)
    gamma = np.linspace(0.5, 2.0, 40)
    mine = projected_gradient(C, gamma, 20_000)
    np.testing.assert_allclose(solve_margin_problem(xi, S, gamma).w, S * mine @ xi / 15, atol=1e-9)


def test_large_gamma_is_the_hard_margin():
    xi, S = teacher(60, 30)
    hard = solve_margin_problem(xi, S)
    soft = solve_margin_problem(xi, S, 10 * hard.x.max())
    np.testing.assert_allclose(soft.x, hard.x, atol=1e-9 * hard.x.max())
    assert soft.lower == pytest.approx(hard.lower, rel=1e-12)


def test_small_gamma_is_hebb():
    xi, S = teacher(60, 30)
    found = solve_margin_problem(xi, S, 1e-6)
    np.testing.assert_array_equal(found.x, 1e-6)
    assert found.status == "exact"


def test_one_example_is_embedded_to_E_1():
    xi = np.array([[3.0, 4.0]])
    found = solve_margin_problem(xi, np.array([-1.0]))
    np.testing.assert_allclose(found.w, [-3 / 25, -4 / 25])
    assert found.lower == pytest.approx(5.0)


def test_duplicates_change_nothing():
    xi, S = teacher(40, 20)
    once, thrice = (
        solve_margin_problem(xi, S),
        solve_margin_problem(np.repeat(xi, 3, axis=0), np.repeat(S, 3)),
    )
    assert thrice.status == "exact"
    np.testing.assert_allclose(thrice.w, once.w, atol=1e-11)
    np.testing.assert_allclose(thrice.x.reshape(40, 3).sum(1), once.x, atol=1e-9 * once.x.max())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [np.inf, 0.7])
def test_integer_pixels_with_more_than_N_on_the_margin(seed, gamma):
    rng = np.random.default_rng(seed)
    xi = rng.choice([-1.0, 1.0], (200, 7))
    S = np.sign(xi @ np.ones(7))
    found = solve_margin_problem(xi, S, gamma)
    assert found.status == "exact"
    check_kuhn_tucker(xi, S, gamma, found)
    if gamma == np.inf:
        assert found.lower == pytest.approx(found.upper, abs=1e-10)


def proves(xi, S, found):
    assert found.status == "not_separable"
    assert found.upper <= 1e-8 * np.sqrt(xi.shape[1])
    assert np.all(found.x >= 0)
    weight = found.x @ np.linalg.norm(xi, axis=1)
    assert np.linalg.norm(S * found.x @ xi) <= 1.001e-9 * weight + 1e-300
    assert "not linearly separable" in found.message
    if found.w.any():
        assert found.lower == pytest.approx((S * (xi @ found.w)).min() / np.linalg.norm(found.w))
    np.testing.assert_allclose(found.E, S * (xi @ found.w))


@pytest.mark.parametrize(("P", "N"), [(20, 3), (200, 50), (130, 50), (3000, 20)])
def test_data_that_are_not_separable_get_a_proof(P, N):
    rng = np.random.default_rng(1)
    xi, S = rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)
    assert oracle(xi, S) < 1e-10
    proves(xi, S, solve_margin_problem(xi, S))


def test_equal_years_of_both_classes_with_an_endless_proximal_step():
    """The strengths grow until the step is 1e53 and the normal matrix is singular to rounding."""
    xi = np.array([[2000.0, 1.0], [2000.0, 1.0], [2002.0, 1.0], [2000.0, 1.0]])
    S = np.array([-1.0, -1.0, -1.0, 1.0])
    proves(xi, S, solve_margin_problem(xi, S))


def test_contradictory_labels_get_a_proof():
    xi, S = teacher(20, 30)
    xi, S = np.vstack([xi, xi[:1]]), np.append(S, -S[0])
    found = solve_margin_problem(xi, S)
    proves(xi, S, found)
    assert set(np.flatnonzero(found.x > 1e-6 * found.x.max())) == {0, 20}


def test_contradictory_labels_by_sweeps_alone_end_in_bounded_time():
    xi = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = solve_margin_problem(xi, np.array([1.0, -1.0]), exact=False, max_epochs=30, sweeps_only=True)
    assert found.status == "max_epochs"
    assert found.n_epochs == 30
    assert "may not be separable" in found.message


def test_a_row_of_zeros_is_never_separable():
    xi, S = teacher(20, 30)
    xi[3] = 0.0
    found = solve_margin_problem(xi, S)
    proves(xi, S, found)
    assert found.lower == 0.0
    others = np.arange(20) != 3
    np.testing.assert_allclose(found.w, solve_margin_problem(xi[others], S[others]).w, atol=1e-12)
    proves(np.zeros((2, 3)), np.ones(2), solve_margin_problem(np.zeros((2, 3)), np.ones(2)))


def test_a_row_of_zeros_is_clipped_with_errors_allowed():
    xi, S = teacher(30, 10, 0.2)
    xi[3] = 0.0
    found = solve_margin_problem(xi, S, 1.5)
    assert found.status == "exact"
    assert found.x[3] == 1.5
    check_kuhn_tucker(xi, S, 1.5, found)
    assert solve_margin_problem(np.zeros((2, 3)), np.ones(2), 1.5).status == "exact"


@pytest.mark.parametrize("gamma", [np.inf, 2.0])
@pytest.mark.parametrize("exact", [True, False])
def test_examples_without_weight_are_ignored(gamma, exact):
    xi, S = teacher(40, 30)
    box = np.full(40, gamma)
    box[::4] = 0.0
    S[::8] *= -1
    found = solve_margin_problem(xi, S, box, exact=exact)
    kept = box > 0
    np.testing.assert_array_equal(found.x[~kept], 0.0)
    alone = solve_margin_problem(xi[kept], S[kept], gamma)
    np.testing.assert_allclose(found.w, alone.w, atol=1e-10 if exact else 1e-2)
    assert found.lower == pytest.approx(alone.lower, rel=1e-10 if exact else 1e-2)


@pytest.mark.parametrize("gamma", [np.inf, 1.0])
@pytest.mark.parametrize(("P", "N"), [(60, 40), (90, 10), (20, 70)])
def test_sparse_dense_and_float32_agree(P, N, gamma):
    rng = np.random.default_rng(P)
    xi = np.float32(rng.standard_normal((P, N)) * (rng.random((P, N)) < 0.5))
    xi[:, 0] = 1.0
    S = np.sign(np.float64(xi) @ rng.standard_normal(N))
    found = [
        solve_margin_problem(data, S, gamma)
        for data in (np.float64(xi), xi, sparse(xi), sparse(np.float64(xi)))
    ]
    for other in found[1:]:
        assert other.status == found[0].status == "exact"
        np.testing.assert_allclose(other.w, found[0].w, rtol=1e-9, atol=1e-10)
    check_kuhn_tucker(np.float64(xi), S, gamma, found[1])


def test_sparse_data_that_are_not_separable_get_a_proof():
    rng = np.random.default_rng(0)
    xi, S = rng.standard_normal((90, 20)) * (rng.random((90, 20)) < 0.3), rng.choice([-1.0, 1.0], 90)
    xi[:, 0] = 1.0
    proves(xi, S, solve_margin_problem(sparse(xi), S))


def test_more_rows_than_the_limit_stop_at_tol(monkeypatch):
    assert LIMIT == 4000
    monkeypatch.setattr("markone.perceptron.margin.solve.LIMIT", 5)
    xi, S = teacher(60, 30)
    found = solve_margin_problem(xi, S, tol=1e-5)
    assert found.status == "converged"
    assert 0 <= found.gap <= 1e-5
    assert found.n_newton == 0


@pytest.mark.parametrize("gamma", [np.inf, 1.0])
def test_start_at_the_solution_takes_no_time(gamma):
    xi, S = teacher(60, 20, 0.0 if gamma == np.inf else 0.2)
    first = solve_margin_problem(xi, S, gamma)
    again = solve_margin_problem(xi, S, gamma, x0=first.x)
    np.testing.assert_allclose(again.w, first.w, atol=1e-12)
    assert again.n_newton <= 5


@pytest.mark.parametrize("order", ["shuffled", "cyclic"])
def test_order_and_seed_lead_to_the_same_student(order):
    xi, S = teacher(60, 20)
    a, b, c = (solve_margin_problem(xi, S, order=order, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(a.x, b.x)
    np.testing.assert_allclose(a.w, c.w, atol=1e-11)


def test_sweeps_stop_at_max_epochs_with_bounds_that_hold():
    xi, S = teacher(100, 50)
    found = solve_margin_problem(xi, S, exact=False, max_epochs=20, sweeps_only=True)
    assert found.status == "max_epochs"
    assert found.n_epochs == 20
    assert found.lower <= oracle(xi, S) <= found.upper
    assert found.lower == pytest.approx((S * (xi @ found.w)).min() / np.linalg.norm(found.w))
    soft = solve_margin_problem(xi, S, 1.0, exact=False, max_epochs=2, tol=1e-9, sweeps_only=True)
    assert "duality gap" in soft.message


@pytest.mark.parametrize("tol", [1e-2, 1e-5])
@pytest.mark.parametrize("gamma", [np.inf, 0.5, 20.0])
@pytest.mark.parametrize(("P", "N"), [(60, 20), (900, 70), (150, 100)])
def test_an_approximate_solution_has_the_requested_gap_and_valid_bounds(P, N, gamma, tol):
    xi, S = teacher(P, N, 0.0 if gamma == np.inf else 0.1)
    best, found = solve_margin_problem(xi, S, gamma), solve_margin_problem(xi, S, gamma, exact=False, tol=tol)
    assert found.status in ("converged", "exact")
    assert found.gap <= tol
    assert np.all(found.x >= 0)
    assert np.all(found.x <= gamma)
    # At most about the Newton steps of the exact solution.
    assert found.n_newton <= 1.1 * best.n_newton + 1
    if gamma == np.inf:
        assert found.lower <= best.upper
        assert best.lower <= found.upper
    else:
        dual = [x.sum() - 0.5 * x @ correlations(xi, S) @ x for x in (found.x, best.x)]
        assert dual[1] * (1 - 2 * tol) <= dual[0] <= dual[1] * (1 + 1e-12)


def test_following_a_direction_ends_at_the_first_maximum_of_the_projected_path():
    xi, S = teacher(30, 12, 0.2)
    C, rng = correlations(xi, S), np.random.default_rng(0)
    problem = Quadratic(xi, S, np.full(30, 1.0))
    met = 0
    for _ in range(20):
        x = rng.random(30)
        d = np.linalg.solve(C + 0.1 * np.eye(30), 1.0 - C @ x)
        y = x.copy()
        assert not follow_direction(problem, y, embed_examples(xi, S, x), np.arange(30), d.copy())
        inside = (y > 0) & (y < 1)
        # With every component at a bound the path ends there, at the last bound met.
        t = np.median((y - x)[inside] / d[inside]) if inside.any() else np.max((y - x) / d)
        np.testing.assert_allclose(y, np.clip(x + t * d, 0, 1), atol=1e-12)
        path = np.clip(x + np.linspace(0, 1.02 * t, 1021)[:, None] * d, 0, 1)
        values = path.sum(1) - np.einsum("ti,ti->t", path @ C, path) / 2
        assert np.all(np.diff(values[:1001]) > 0)
        assert values[1001] < values[1000] or not inside.any()
        met += np.sum(~inside)
    assert met > 20


def test_correlations_are_extended_and_cleared(monkeypatch):
    monkeypatch.setattr("markone.perceptron.margin.gram.MAX_MEMBERS", 8)
    xi, S = teacher(20, 6)
    gram, C = Gram(Quadratic(xi, S, np.full(20, np.inf))), correlations(xi, S)
    for chosen in (np.array([3, 5]), np.array([1, 5, 7]), np.arange(10, 15), np.array([2, 1])):
        gram.add_members(chosen)
        at = gram.position[chosen]
        np.testing.assert_array_equal(gram.members[at], chosen)
        np.testing.assert_allclose(gram.C[np.ix_(at, at)], C[np.ix_(chosen, chosen)], atol=1e-14)
        assert len(gram.members) <= 8
    r = np.array([1.0, 2.0])
    np.testing.assert_allclose(
        gram.factor_free_set(chosen).solve_refined(r), np.linalg.solve(C[np.ix_(chosen, chosen)], r)
    )


def test_potentials_are_E_of_the_notes():
    xi, S = teacher(8, 5)
    x = np.arange(8.0)
    np.testing.assert_allclose(
        potentials_of_examples(xi, S, embed_examples(xi, S, x)), correlations(xi, S) @ x
    )


sizes = st.tuples(st.integers(2, 30), st.integers(2, 12), st.integers(0, 10**6))


@settings(max_examples=25)
@given(sizes, st.floats(0.01, 100.0))
def test_invariances(size, factor):
    P, N, seed = size
    xi, S = teacher(P, N, seed=seed)
    rng = np.random.default_rng(seed)
    kappa = solve_margin_problem(xi, S)
    assert kappa.status == "exact"
    turn, order = ortho_group.rvs(N, random_state=rng), rng.permutation(P)
    turned = solve_margin_problem(np.ascontiguousarray(xi @ turn), S)
    np.testing.assert_allclose(turned.w, kappa.w @ turn, rtol=1e-6, atol=1e-8 * np.abs(kappa.w).max())
    permuted = solve_margin_problem(xi[order], S[order])
    np.testing.assert_allclose(permuted.w, kappa.w, rtol=1e-6, atol=1e-8 * np.abs(kappa.w).max())
    np.testing.assert_allclose(
        solve_margin_problem(-xi, -S).w, kappa.w, rtol=1e-6, atol=1e-8 * np.abs(kappa.w).max()
    )
    assert solve_margin_problem(factor * xi, S).lower == pytest.approx(factor * kappa.lower, rel=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": -1.0}, "gamma must be non-negative, got -1"),
        ({"gamma": np.nan}, "gamma must be non-negative"),
        ({"gamma": 0.0}, "zero for all examples"),
        ({"gamma": np.array([1.0, np.inf, 0.0])}, "mixes finite and infinite"),
        ({"eta": 2.0}, "eta = 2.0 does not converge"),
        ({"tol": 0.0}, "tol = 0.0 can never be reached"),
        ({"max_epochs": 0}, "max_epochs = 0 allows no learning"),
        ({"order": "weakest"}, "order = 'weakest' is unknown"),
        ({"x0": np.zeros(2)}, r"x0 has shape \(2,\)"),
    ],
)
def test_bad_options_are_refused_with_a_reason(options, message):
    with pytest.raises(ValueError, match=message):
        solve_margin_problem(np.eye(3), np.ones(3), **options)
