"""More support vectors than the working set holds: some are inactive with x > 0."""

import numpy as np
import pytest
from kernel_problem import solve_kernel_problem

from markone.perceptron.margin.kernel import make_kernel
from markone.perceptron.margin.kernel.working_set import WorkingSet


def clouds(P, seed=0):
    rng = np.random.default_rng(seed)
    S = np.where(np.arange(P) % 2, 1.0, -1.0)
    X = rng.standard_normal((P, 5)) + 0.7 * S[:, None]
    S[rng.random(P) < 0.15] *= -1
    return X, S


def working_set_with_inactive_outliers(P=1600, active=800):
    """A working set of some examples while others, most of them wrong, are inactive at x = C."""
    X, S = clouds(P)
    some = WorkingSet(make_kernel("rbf", X, clamp=1.0), S, np.ones(P), 200.0)
    some.set_strengths((np.arange(P) >= active).astype(float))
    some._load_rows(np.arange(active), np.arange(active))
    return some


def gap_among(some, chosen):
    """Part of these examples in primal minus dual cost, relative to the primal cost of all."""
    x, g = some.x, 1.0 - some.E
    parts = some.C * np.maximum(g, 0.0) - x * g
    value = x.sum() - 0.5 * x @ some.E
    return parts[chosen].sum() / (value + parts.sum())


def test_ascent_with_inactive_examples_reaches_the_optimum_of_the_active_ones():
    some = working_set_with_inactive_outliers()
    rest = gap_among(some, np.arange(800, 1600))
    some.ascend(1e-12, True, 10**6)
    assert gap_among(some, some.active) < 2e-4
    assert rest > 0.01


def test_ascent_stops_at_its_goal():
    rough, fine = working_set_with_inactive_outliers(), working_set_with_inactive_outliers()
    rest = gap_among(rough, np.arange(800, 1600))
    rough.ascend(rest + 0.1, False, 10**6)
    fine.ascend(1e-4, False, 10**6)
    assert rough.steps < fine.steps


@pytest.mark.parametrize("cache_mb", [0.02, 0.1, 10.0])
def test_the_student_does_not_depend_on_the_memory(cache_mb):
    X, S = clouds(2000)
    kernel = make_kernel("rbf", X, clamp=1.0)
    found = solve_kernel_problem(kernel, S, 1.0, tol=1e-3, exact=False, cache_mb=cache_mb, max_epochs=200)
    assert found.status == "converged"
    assert found.gap <= 1e-3


def test_blocks_with_what_was_gathered_once_are_the_same():
    X, _ = clouds(50)
    some, others = np.array([3, 1, 40]), np.array([7, 2, 2, 30])
    for kernel in (
        make_kernel("rbf", X, clamp=0.5),
        make_kernel("poly", X, clamp=0.5),
        make_kernel("linear", X),
        make_kernel("precomputed", X @ X.T, clamp=1.0),
        make_kernel(lambda A, B: A @ B.T, X, clamp=1.0),
        make_kernel("rbf", X, clamp=0.5).with_matrix(),
    ):
        np.testing.assert_allclose(
            kernel.block_towards(some, kernel.subset_kernel(others)),
            kernel.kernel_block(some, others),
            rtol=1e-14,
        )


def test_potentials_follow_the_strengths_of_active_and_inactive_examples():
    some = working_set_with_inactive_outliers(400, 150)
    some.ascend(1e-6, False, 10**6)
    K = make_kernel("rbf", clouds(400)[0], clamp=1.0).rows(np.arange(400))
    np.testing.assert_allclose(some.E, some.S * (K @ (some.S * some.x)), atol=1e-10)
    some.add_violators(np.random.default_rng(0))
    np.testing.assert_allclose(some.K + 1.0, K[np.ix_(some.active, some.active)], atol=1e-14)


def test_all_examples_active_or_some_lead_to_the_same_student():
    X, S = clouds(1700)
    kernel = make_kernel("rbf", X, gamma=0.2, clamp=1.0)
    found = solve_kernel_problem(kernel.with_matrix(), S, 1.0, tol=1e-8, exact=False)
    small = solve_kernel_problem(kernel, S, 1.0, tol=1e-8, exact=False, cache_mb=3.0)
    assert max(found.gap, small.gap) <= 1e-8
    np.testing.assert_allclose(found.E, small.E, atol=1e-3)
