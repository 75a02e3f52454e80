"""Both bounds on the stability, rounded outwards at any size of numbers, and the duality gap."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from exact import dot, square

from markone.perceptron.margin import Quadratic, solve_margin_problem
from markone.perceptron.separable import margin_certificates
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.rows import build_rows


def check_outwards(X, S, w, x, found):
    """lower |w| <= min E and upper sum x >= |sum x S xi| in fractions; x <= 0 is left out."""
    Z = [[Fraction(v) * int(s) for v in row] for row, s in zip(X.tolist(), S.tolist(), strict=True)]
    W, strength = [Fraction(v) for v in w.tolist()], [Fraction(max(v, 0.0)) for v in x.tolist()]
    least, g = min(dot(z, W) for z in Z), [dot(list(c), strength) for c in zip(*Z, strict=True)]
    assert square(found.lower) * dot(W, W) <= square(least)
    assert found.upper == np.inf or square(found.upper) * sum(strength) ** 2 >= dot(g, g)


@pytest.mark.parametrize("size", [1.0, 1e-30, 1e30, 1e150, 1e-160, 1e-300, 5e-324])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_they_are_rounded_outwards_at_any_size(size, form):
    rng = np.random.default_rng(0)
    for k in range(40):
        P, N = rng.integers(1, 30), rng.integers(1, 20)
        X = rng.standard_normal((P, N)) * 10.0 ** rng.integers(-5, 6, N)
        S = rng.choice([-1.0, 1.0], P)
        w, x = rng.standard_normal(N) * size, rng.random(P) * (rng.random(P) < 0.7) * size
        if k % 4 == 0:
            S = np.where(X @ w >= 0, 1.0, -1.0)
        if k % 7 == 0:
            x[0] = -1.0
        rows = build_rows(scipy.sparse.csr_array(X) if form == "sparse" else X, S)
        found = stability_bounds(rows, w, x)
        check_outwards(X, S, w, x, found)
        if size > 1e-200 and w.any():
            kappa = float(np.min(S * (X @ (w / size)))) / float(np.linalg.norm(w / size))
            assert found.lower == pytest.approx(kappa, rel=1e-9, abs=1e-9)


def test_they_are_rounded_outwards():
    rng = np.random.default_rng(1)
    for _ in range(300):
        X, w, x = rng.standard_normal((4, 5)), rng.standard_normal(5), rng.random(4)
        found = stability_bounds(build_rows(X, np.ones(4)), w, x)
        check_outwards(X, np.ones(4), w, x, found)
        assert found.upper == pytest.approx(np.linalg.norm(x @ X) / x.sum(), rel=1e-14)


def test_weights_whose_scaling_would_round_are_not_scaled():
    X, w, x = np.eye(2), np.array([1e200, 1e-200]), np.ones(2)
    found = stability_bounds(build_rows(X, np.ones(2)), w, x)
    check_outwards(X, np.ones(2), w, x, found)
    assert found.lower >= 0.0


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_what_is_not_finite_proves_nothing(bad):
    rows = build_rows(np.eye(3), np.ones(3))
    ones = np.ones(3)
    found = stability_bounds(rows, np.array([1.0, bad, 1.0]), ones)
    assert found.lower < 0.0 < found.upper < 1.0
    assert found.lower == stability_bounds(rows, np.full(3, bad), None).lower
    assert stability_bounds(rows, ones, np.array([1.0, np.inf, 1.0])).upper == np.inf
    assert stability_bounds(rows, ones, np.zeros(3)).upper == np.inf
    assert stability_bounds(rows, ones, None) == stability_bounds(rows, ones, np.zeros(3))


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3, 1e6])
def test_the_gap_of_the_soft_margin_is_not_below_the_true_one(C):
    """In fractions: the cost of w (4.3) and the bound of x (4.5), for any w and x."""
    rng = np.random.default_rng(3)
    for k in range(60):
        P, N = rng.integers(2, 12), rng.integers(1, 6)
        X, S = rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)
        problem = Quadratic(X, S, np.full(P, C * N))
        found = solve_margin_problem(X, S, C * N)
        if k % 3 == 0:
            found = replace(found, w=found.w * (1.0 + 1e-12 * rng.standard_normal(N)))
        gap = Fraction(margin_certificates.certify_soft_margin(problem, found, 1.0).gap)
        Z = [[Fraction(v) * int(s) for v in row] for row, s in zip(X.tolist(), S.tolist(), strict=True)]
        W, strength = [Fraction(v) for v in found.w.tolist()], [Fraction(v) for v in found.x.tolist()]
        hinge = sum(max(1 - dot(z, W), Fraction(0)) for z in Z) * Fraction(problem.gamma[0])
        primal = dot(W, W) * int(N) / 2 + hinge
        g = [dot(list(c), strength) for c in zip(*Z, strict=True)]
        dual = sum(strength) - dot(g, g) / (2 * int(N))
        assert primal - dual <= gap * primal


@pytest.mark.parametrize(("size", "strength"), [(1.0, 10.0), (1e153, 1e-307)])
def test_no_gap_is_claimed_from_a_negative_dual_or_from_costs_that_underflow(size, strength):
    X, S = np.array([[1.0], [-1.0]]) * size, np.array([1.0, -1.0])
    problem = Quadratic(X, S, np.full(2, 10.0))
    found = replace(solve_margin_problem(X, S, 10.0), x=np.full(2, strength), w=np.full(1, 2.0 / size))
    found = margin_certificates.certify_soft_margin(problem, replace(found, status="converged"), 1e-6)
    assert (found.gap, found.status) == (np.inf, "max_epochs")


def test_examples_that_do_not_count_are_left_out_of_the_bound():
    rng = np.random.default_rng(4)
    X, S = rng.standard_normal((30, 4)), rng.choice([-1.0, 1.0], 30)
    gamma = np.where(np.arange(30) < 20, 4.0, 0.0)
    some = margin_certificates.certify_soft_margin(
        Quadratic(X, S, gamma), solve_margin_problem(X, S, gamma), 1e-6
    )
    alone = margin_certificates.certify_soft_margin(
        Quadratic(X[:20], S[:20], gamma[:20]), solve_margin_problem(X[:20], S[:20], 4.0), 1e-6
    )
    assert some.lower == pytest.approx(alone.lower, rel=1e-9)
    assert some.upper == pytest.approx(alone.upper, rel=1e-9)
    assert max(some.gap, alone.gap) < 1e-12
