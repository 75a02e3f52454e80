"""Small problems by the active set: the same student as by the solver of large ones, and by NNLS."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from markone.perceptron.margin import small_problems
from markone.perceptron.margin._active_set import OPEN
from markone.perceptron.margin.problem import Quadratic, State, evaluate_state, rounding_floor
from markone.perceptron.margin.solve import solve_margin_problem


def teacher(P, N, flipped=0.0, seed=0):
    rng = np.random.default_rng(seed)
    xi = rng.standard_normal((P, N))
    S = np.sign(xi @ rng.standard_normal(N))
    S[rng.random(P) < flipped] *= -1
    return xi, S


def solve_as_large(xi, S, gamma):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_problems, "suits_active_set", lambda problem: False)
        return solve_margin_problem(xi, S, gamma)


CASES = [
    (60, 20, 0.0, np.inf),
    (200, 40, 0.0, np.inf),
    (100, 60, 0.0, np.inf),
    (500, 30, 0.1, 0.01),
    (500, 30, 0.1, 1.0),
    (200, 40, 0.1, 100.0),
    (500, 30, 0.1, 1000.0),
    (1000, 5, 0.3, 10.0),
]


@pytest.mark.parametrize(("P", "N", "flipped", "C"), CASES)
def test_both_solvers_give_the_same_student(P, N, flipped, C):
    xi, S = teacher(P, N, flipped)
    assert small_problems.suits_active_set(Quadratic(xi, S, np.full(P, C * N)))
    found, other = solve_margin_problem(xi, S, C * N), solve_as_large(xi, S, C * N)
    assert found.status == other.status == "exact"
    np.testing.assert_allclose(found.w, other.w, rtol=1e-8, atol=1e-9 * np.abs(other.w).max())
    assert found.gap <= 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 10**6), st.sampled_from([0.1, 3.0, 1e3]))
def test_integers_that_coincide_and_rows_of_zeros_are_solved_too(P, N, seed, C):
    rng = np.random.default_rng(seed)
    xi, S = rng.integers(-1, 2, (P, N)).astype(float), rng.choice([-1.0, 1.0], P)
    found, other = solve_margin_problem(xi, S, C * N), solve_as_large(xi, S, C * N)
    assert found.status == other.status == "exact"
    # x need not be unique where rows coincide; the weights are.
    np.testing.assert_allclose(found.w, other.w, atol=1e-8 * max(1.0, np.abs(other.w).max()))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 8), st.integers(0, 10**6))
def test_the_hard_margin_of_any_labels_equals_the_large_solver(P, N, seed):
    rng = np.random.default_rng(seed)
    xi, S = rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)
    found, other = solve_margin_problem(xi, S), solve_as_large(xi, S, np.inf)
    assert found.status == other.status
    if found.status == "exact":
        assert found.upper == pytest.approx(other.upper, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_hard_margin_is_the_point_nearest_to_zero_as_lawson_and_hanson_find_it(seed):
    xi, S = teacher(80, 15, seed=seed)
    Z = S[:, None] * xi
    # min |sum v z|^2 + (sum v - 1)^2 over v >= 0: the best direction is that of the optimal stability.
    v, _ = nnls(np.vstack([Z.T, np.ones(80)]), np.append(np.zeros(15), 1.0))
    w = v @ Z
    found = solve_margin_problem(xi, S)
    np.testing.assert_allclose(found.w / np.linalg.norm(found.w), w / np.linalg.norm(w), atol=1e-9)
    assert set(np.flatnonzero(found.x)) == set(np.flatnonzero(v))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(1, 10), st.integers(0, 10**6), st.sampled_from([0.02, 1.0, 50.0]))
def test_what_is_settled_meets_kuhn_tucker_in_the_box_and_w_and_e_fit_x(P, N, seed, C):
    xi, S = teacher(P, N, 0.2, seed)
    problem = Quadratic(xi, S, np.full(P, C * N))
    state = State(np.zeros(P), np.zeros(N), np.zeros(P))
    assert small_problems.solve_by_active_set(problem, state, 1000, None)
    x, E, residual = state.x, state.E.copy(), state.residual
    assert np.all((x >= 0) & (x <= C * N))
    evaluate_state(problem, state)
    np.testing.assert_allclose(E, state.E, atol=1e-12 * max(1.0, C))
    assert max(residual, state.residual) <= rounding_floor(problem, state)


def test_out_of_changes_the_bounds_hold_and_the_large_solver_continues(monkeypatch):
    monkeypatch.setattr(small_problems, "SOFT_CHANGES", 20)
    xi, S = teacher(300, 20, 0.3)
    problem = Quadratic(xi, S, np.full(300, 20.0))
    state = State(np.zeros(300), np.zeros(20), np.zeros(300))
    assert not small_problems.solve_by_active_set(problem, state, 1000, None)
    assert np.all((state.x >= 0) & (state.x <= 20.0))
    assert state.x.any()
    found, other = solve_margin_problem(xi, S, 20.0), solve_as_large(xi, S, 20.0)
    assert found.status == other.status == "exact"
    np.testing.assert_allclose(found.w, other.w, atol=1e-9)


def test_of_inseparable_data_the_best_student_equals_that_of_the_large_solver():
    rng = np.random.default_rng(0)
    xi, S = rng.standard_normal((100, 20)), rng.choice([-1.0, 1.0], 100)
    found, other = solve_margin_problem(xi, S), solve_as_large(xi, S, np.inf)
    assert found.status == other.status == "not_separable"
    np.testing.assert_array_equal(found.w, other.w)


@pytest.mark.parametrize("C", [np.inf, 1.0])
def test_the_solution_itself_as_start_stays(C):
    xi, S = teacher(60, 12, 0.0 if np.isinf(C) else 0.2)
    first = solve_margin_problem(xi, S, C * 12)
    again = solve_margin_problem(xi, S, C * 12, x0=first.x)
    np.testing.assert_allclose(again.x, first.x, atol=1e-9 * first.x.max())


def test_an_unsolved_hard_margin_leaves_the_state_unchanged(monkeypatch):
    """Strengths of inseparable examples grow without bound: they are a bad start."""

    def lost(arrays, *rest):
        arrays.y[:] = 1e7
        return OPEN, 7, np.inf

    monkeypatch.setattr(small_problems, "active_set", lost)
    xi, S = teacher(60, 20)
    problem = Quadratic(xi, S, np.full(60, np.inf))
    state = State(np.zeros(60), np.zeros(20), np.zeros(60))
    assert not small_problems.solve_by_active_set(problem, state, 1000, None)
    assert not state.x.any()
    assert state.n_epochs == state.n_newton == 0
