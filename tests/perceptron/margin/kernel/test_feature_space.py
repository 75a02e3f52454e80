"""Optimal stability in feature space: against the textbook loop, independent solvers, its certificate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_problem import solve_kernel_problem
from scipy.optimize import nnls
from sklearn.svm import SVC

from markone.perceptron.margin.kernel.box_newton import solve_box
from markone.perceptron.margin.kernel.mercer import make_kernel


def examples(P, N=4, seed=0, noise=0.2):
    """Two overlapping clouds with some labels flipped."""
    rng = np.random.default_rng(seed)
    S = np.where(rng.random(P) < 0.5, 1.0, -1.0)
    X = rng.standard_normal((P, N)) + 0.7 * S[:, None]
    S[rng.random(P) < noise] *= -1
    return X, S


def gram(kernel, S):
    return kernel.rows(np.arange(S.size)) * S * S[:, None]


def kernel_adatron(G, C, epochs):
    """(4.26) with errors (4.6), as printed; eta = 1 / G_mumu."""
    P = len(G)
    x = [0.0] * P
    for _ in range(epochs):
        for mu in range(P):
            E = sum(x[nu] * G[mu][nu] for nu in range(P))
            x[mu] = min(max(0.0, x[mu] + (1 - E) / G[mu][mu]), C)
    return np.array(x)


def projected_gradient(G, C, steps=200_000):
    """An independent reference for the soft margin: Nesterov's accelerated projected gradient."""
    L = np.linalg.eigvalsh(G)[-1]
    x = y = np.zeros(len(G))
    t = 1.0
    for _ in range(steps):
        new = np.clip(y + (1 - G @ y) / L, 0, C)
        if (new - x) @ (y - new) > 0:
            t = 1.0  # restart
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        y, t = new + (t - 1) / after * (new - x), after
        if np.abs(new - x).max() < 1e-15:
            break
        x = new
    return x


def kuhn_tucker(x, E, C):
    """The largest violation of x (1 - E) = 0 and its inequalities."""
    g = 1 - E
    free = (x > 0) & (x < C)
    return max(
        np.abs(g[free]).max(initial=0), g[x == 0].max(initial=0), (-g[(x == C) & (x > 0)]).max(initial=0)
    )


@pytest.mark.parametrize("C", [0.5, 10.0, np.inf])
def test_the_fixed_point_of_the_book(C):
    X, S = examples(25)
    kernel = make_kernel("rbf", X, gamma=0.5)
    twin = kernel_adatron(gram(kernel, S).tolist(), C, 1500)
    found = solve_kernel_problem(kernel, S, C)
    assert found.status == "exact"
    np.testing.assert_allclose(found.x, twin, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("C", [0.1, 3.0, np.inf])
def test_kuhn_tucker_and_potentials(kernel, C):
    X, S = examples(300, N=30, noise=0.0)
    kernel = make_kernel(kernel, X, degree=2)
    found = solve_kernel_problem(kernel, S, C)
    G = gram(kernel, S)
    np.testing.assert_allclose(found.E, G @ found.x, rtol=1e-10, atol=1e-10)
    assert found.status == "exact"
    assert abs(found.gap) <= 1e-10
    assert kuhn_tucker(found.x, found.E, C) < 1e-9
    assert (found.x >= 0).all()
    assert (found.x <= C).all()


def test_the_linear_kernel_gives_the_perceptron_of_optimal_stability():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 20))
    S = np.sign(X @ rng.standard_normal(20))
    Z = X * S[:, None]
    x, residual = nnls(np.vstack([Z.T, np.ones(60)]), np.append(np.zeros(20), 1.0))
    assert residual > 1e-3
    w = Z.T @ x
    kappa = (Z @ w).min() / np.linalg.norm(w)
    found = solve_kernel_problem(make_kernel("linear", X), S)
    assert found.status == "exact"
    assert found.lower == pytest.approx(kappa, rel=1e-10)
    assert found.upper == pytest.approx(kappa, rel=1e-10)
    student = Z.T @ found.x
    np.testing.assert_allclose(student / np.linalg.norm(student), w / np.linalg.norm(w), atol=1e-9)


@pytest.mark.parametrize("C", [0.2, 5.0])
def test_the_soft_margin_agrees_with_an_independent_solver(C):
    X, S = examples(80, noise=0.3)
    kernel = make_kernel("rbf", X, gamma=0.4)
    found = solve_kernel_problem(kernel, S, C)
    np.testing.assert_allclose(found.x, projected_gradient(gram(kernel, S), C), atol=1e-8)
    assert (found.x == C).any()


def test_where_svc_finds_no_threshold_it_finds_the_same_student():
    """With every example there twice, as (xi, S) and (-xi, -S), an odd kernel has threshold 0."""
    X, S = examples(60, noise=0.1)
    X, S = np.vstack([X, -X]), np.concatenate([S, -S])
    odd = make_kernel("poly", X, degree=3, gamma=0.2, coef0=0.0)
    found = solve_kernel_problem(odd, S, 2.0)
    peer = SVC(kernel="poly", degree=3, gamma=0.2, coef0=0.0, C=2.0, tol=1e-9).fit(X, S)
    assert peer.intercept_[0] == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(found.E, S * peer.decision_function(X), atol=1e-5)


def test_each_example_may_have_its_own_bound():
    X, S = examples(60, noise=0.3)
    C = np.where(S > 0, 0.3, 4.0)
    kernel = make_kernel("rbf", X, gamma=0.4)
    found = solve_kernel_problem(kernel, S, C)
    np.testing.assert_allclose(found.x, projected_gradient(gram(kernel, S), C), atol=1e-8)
    C[:30] = np.inf
    mixed = solve_kernel_problem(kernel, S, C)
    assert mixed.status == "exact"
    assert kuhn_tucker(mixed.x, mixed.E, C) < 1e-8


def test_a_large_C_is_the_hard_margin():
    X, S = examples(100)
    kernel = make_kernel("rbf", X, gamma=1.0)
    hard = solve_kernel_problem(kernel, S)
    soft = solve_kernel_problem(kernel, S, 2 * hard.x.max())
    np.testing.assert_allclose(soft.x, hard.x, rtol=1e-9, atol=1e-12)


def test_a_small_C_clips_all_examples():
    X, S = examples(50)
    found = solve_kernel_problem(make_kernel("rbf", X, gamma=1.0), S, 1e-4)
    np.testing.assert_array_equal(found.x, np.full(50, 1e-4))


@pytest.mark.parametrize("C", [0.3, np.inf])
def test_one_example(C):
    found = solve_kernel_problem(make_kernel("linear", np.array([[3.0, 4.0]])), np.array([-1.0]), C)
    assert found.status == "exact"
    assert found.x[0] == pytest.approx(1 / 25)
    assert found.lower == pytest.approx(5.0)


def test_duplicates_share_what_one_would_have():
    X, S = examples(40)
    once = solve_kernel_problem(make_kernel("rbf", X, gamma=0.7), S)
    twice = solve_kernel_problem(make_kernel("rbf", np.vstack([X, X]), gamma=0.7), np.concatenate([S, S]))
    assert twice.status == "exact"
    np.testing.assert_allclose(twice.x[:40] + twice.x[40:], once.x, rtol=1e-8, atol=1e-9)


def test_contradictory_duplicates_are_proven_not_separable():
    X, S = examples(40)
    X, S = np.vstack([X, X[:1]]), np.append(S, -S[0])
    found = solve_kernel_problem(make_kernel("rbf", X, gamma=0.7), S)
    assert found.status == "not_separable"
    assert "Set C to allow errors" in found.message
    assert found.lower <= 0
    np.testing.assert_allclose(found.proof.sum(), 1.0)
    assert found.proof @ gram(make_kernel("rbf", X, gamma=0.7), S) @ found.proof < 1e-12
    assert np.isfinite(found.x).all()


@pytest.mark.parametrize("P", [30, 600])
def test_non_separable_data_with_the_linear_kernel_end_with_a_proof(P):
    X, S = examples(P, noise=0.3)
    kernel = make_kernel("linear", X)
    found = solve_kernel_problem(kernel, S)
    assert found.status == "not_separable"
    assert (found.proof >= 0).all()
    assert np.linalg.norm(found.proof @ (X * S[:, None])) < 1e-6
    assert found.lower < found.upper
    np.testing.assert_allclose(found.E, gram(kernel, S) @ found.x, atol=1e-8 * np.abs(found.x).sum())


def test_an_example_at_the_origin_cannot_be_learned():
    X, S = np.vstack([examples(20, noise=0.0)[0], np.zeros(4)]), np.append(examples(20, noise=0.0)[1], 1.0)
    assert solve_kernel_problem(make_kernel("linear", X), S).status == "not_separable"
    assert solve_kernel_problem(make_kernel("linear", X), S, 2.0).x[-1] == 2.0


def test_an_exhausted_budget_keeps_bounds_that_hold():
    X, S = examples(400)
    kernel = make_kernel("rbf", X, gamma=0.3)
    truth = solve_kernel_problem(kernel, S)
    early = solve_kernel_problem(kernel, S, max_epochs=1)
    assert early.status == "max_epochs"
    assert "stopped after" in early.message
    assert early.lower <= truth.lower <= truth.upper <= early.upper


def test_without_exact_it_stops_at_the_gap_asked_for():
    X, S = examples(400)
    kernel = make_kernel("rbf", X, gamma=0.3)
    rough, fine = (
        solve_kernel_problem(kernel, S, 1.0, tol=1e-2, exact=False),
        solve_kernel_problem(kernel, S, 1.0),
    )
    assert rough.status == "converged"
    assert 0 < rough.gap <= 1e-2
    value = [found.x.sum() - 0.5 * found.x @ found.E for found in (rough, fine)]
    assert 0 <= value[1] - value[0] <= 1.02e-2 * value[1]


def test_a_start_at_the_solution_takes_no_epochs():
    X, S = examples(300)
    kernel = make_kernel("rbf", X, gamma=0.3)
    found = solve_kernel_problem(kernel, S, 1.0)
    again = solve_kernel_problem(kernel, S, 1.0, x0=found.x)
    assert again.n_epochs == 0
    np.testing.assert_allclose(again.x, found.x, atol=1e-9)


@pytest.mark.parametrize(("C", "noise", "gamma"), [(1.0, 0.1, 0.5), (np.inf, 0.0, 1.0)])
def test_the_size_of_the_cache_does_not_change_the_student(C, noise, gamma):
    X, S = examples(500, N=3, noise=noise)
    kernel = make_kernel("rbf", X, gamma=gamma)
    large = solve_kernel_problem(kernel, S, C)
    small = solve_kernel_problem(
        kernel, S, C, cache_mb=0.5
    )  # 250 active examples; with C = 1 more have x > 0
    # Guaranteed: a gap of at most tol, which determines the student.
    for found in (large, small):
        assert found.status in ("exact", "converged")
        assert found.gap <= 1e-6
    np.testing.assert_allclose(small.x, large.x, rtol=1e-6, atol=1e-6)


def test_a_cache_too_small_for_newton_still_converges():
    X, S = examples(400, N=3, noise=0.1)
    kernel = make_kernel("rbf", X, gamma=1.0)
    large = solve_kernel_problem(kernel, S, 1.0)
    free = np.count_nonzero((large.x > 0) & (large.x < 1))
    small = solve_kernel_problem(kernel, S, 1.0, cache_mb=0.03)  # 61 active examples, 30 in a Newton step
    assert free > 30
    assert small.status == "converged"
    assert 0 < small.gap <= 1e-6
    np.testing.assert_allclose(small.x, large.x, atol=0.02)


def test_the_toy_example_of_figure_4_4():
    """Psi = (xi_1^2, sqrt2 xi_1 xi_2, xi_2) as printed: W = (1, 1, -1) separates what no line can."""
    X = np.random.default_rng(2).uniform(-2, 2, (150, 2))

    def Psi(X):
        return np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1]])

    S = np.sign(Psi(X) @ [1.0, 1.0, -1.0])
    assert solve_kernel_problem(make_kernel("linear", X, clamp=1.0), S).status == "not_separable"
    found = solve_kernel_problem(make_kernel(lambda X, Y: Psi(X) @ Psi(Y).T, X), S)
    assert found.status == "exact"
    W = (found.x * S) @ Psi(X)
    assert W @ [1.0, 1.0, -1.0] / np.linalg.norm(W) / np.sqrt(3) > 0.99
    assert found.lower == pytest.approx((S * (Psi(X) @ W)).min() / np.linalg.norm(W), rel=1e-9)


def test_exclusive_or_needs_degree_two():
    X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    S = np.array([1.0, 1.0, -1.0, -1.0])
    assert solve_kernel_problem(make_kernel("poly", X, degree=1, gamma=1.0), S).status == "not_separable"
    found = solve_kernel_problem(make_kernel("poly", X, degree=2, gamma=1.0), S)
    np.testing.assert_allclose(found.x, 1 / 8, rtol=1e-12)  # only 2 xi_1 xi_2 differs: E = 8 x
    assert found.lower == pytest.approx(np.sqrt(2))


@given(st.permutations(range(30)), st.sampled_from([0.5, np.inf]))
def test_the_order_of_the_examples_does_not_matter(order, C):
    X, S = examples(30)
    order = np.array(order)
    found = solve_kernel_problem(make_kernel("rbf", X, gamma=0.5), S, C)
    other = solve_kernel_problem(make_kernel("rbf", X[order], gamma=0.5), S[order], C)
    np.testing.assert_allclose(other.x, found.x[order], rtol=1e-8, atol=1e-9)


def test_kernels_dense_sparse_and_precomputed_give_one_student():
    from scipy.sparse import csr_matrix

    X, S = examples(120)
    dense = make_kernel("rbf", X, gamma=0.5)
    found = solve_kernel_problem(dense, S, 2.0)
    for kernel in (
        make_kernel("rbf", csr_matrix(X), gamma=0.5),
        make_kernel("precomputed", dense.rows(np.arange(120))),
    ):
        np.testing.assert_allclose(solve_kernel_problem(kernel, S, 2.0).x, found.x, atol=1e-8)


def test_negative_curvature_met_on_the_way_is_reported():
    """Three examples can contradict Mercer where no two of them do; too large for all eigenvalues."""
    K = np.eye(2001)
    K[:3, :3] = [[1, 0.9, 0.9], [0.9, 1, -0.9], [0.9, -0.9, 1]]
    S = np.ones(2001)
    S[0] = -1
    with pytest.raises(ValueError, match=r"not positive semi-definite: .* \(4.27\)"):
        solve_kernel_problem(make_kernel("precomputed", K), S)


def test_kernels_out_of_range_are_refused_with_a_reason():
    X, S = examples(10)
    with pytest.raises(ValueError, match="whose square is out of the range of floats"):
        solve_kernel_problem(make_kernel("poly", 1e9 * X, degree=9, gamma=1.0), S)


def test_newton_between_bounds_solves_small_problems_exactly():
    rng = np.random.default_rng(5)
    A = rng.standard_normal((12, 8))  # rank 8: more unknowns than equations
    G, C = A @ A.T, np.full(12, 0.4)
    x, steps = solve_box(G, np.zeros(12), np.ones(12), C)
    assert steps < 50
    assert kuhn_tucker(x, G @ x, C) < 1e-10
