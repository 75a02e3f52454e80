"""The parts of a proof: sums with error bounds, eigenvalues, integer elimination, `verify`."""

from dataclasses import replace
from fractions import Fraction

import numba
import numpy as np
import pytest
import scipy.sparse
from exact import dot, nearest_point, square

from markone.data import teacher_examples
from markone.numerics.compiling import FLAGS
from markone.perceptron import AdaTron, Hebb, separability, verify
from markone.perceptron.separable._balance import proves_balance, proves_separation
from markone.perceptron.separable._bounds import strength_sums, weight_sums
from markone.perceptron.separable._roundings import two_product, two_product_split, two_sum
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.exact import simplex
from markone.perceptron.separable.exact.elimination import exact_strengths
from markone.perceptron.separable.exact.equivalent import equivalent_examples
from markone.perceptron.separable.exact.null_vector import (
    find_nearest_balance,
    find_null_vector,
    hull_comes_within,
)
from markone.perceptron.separable.rows import build_rows
from markone.perceptron.separable.verdict import balanced_strengths


def wild(rng, k):
    """Values over many orders, from the smallest numbers to 1e150."""
    size = [1.0, 1e150, 1e-300, 5e-324][k % 4]
    spread = 10.0 ** rng.uniform(-3 * (k % 5), 0, (4, 1 + k % 33))
    return rng.standard_normal(spread.shape) * spread * size


@pytest.mark.parametrize("form", ["dense", "sparse", "float32"])
def test_sums_are_within_their_errors(form):
    rng = np.random.default_rng(0)
    for k in range(400):
        X = wild(rng, 0 if form == "float32" else k)
        X = X.astype(np.float32) if form == "float32" else X
        N, S = X.shape[1], np.where(rng.random(4) < 0.5, 1.0, -1.0)
        w, x = rng.standard_normal(N), rng.random(4)
        if k % 8 == 4 and N > 1:
            w[-1] = -(X[0, :-1] @ w[:-1]) / X[0, -1]  # cancels
        rows = build_rows(scipy.sparse.csr_array(X) if form == "sparse" else X, S)
        E, error = np.empty(4), np.empty(4)
        factor = Fraction(weight_sums(rows.xi, S, rows.scale, S, w, np.empty(0), E, error)[3])
        g, low, size = np.zeros((3, N))
        unit = Fraction(strength_sums(rows.xi, S, rows.scale, x, np.empty(0), g, low, size)[1])
        Z = [
            [Fraction(float(v)) * int(s) * Fraction(rows.scale) for v in row]
            for row, s in zip(X, S, strict=True)
        ]
        W, strength = [Fraction(v) for v in w.tolist()], [Fraction(v) for v in x.tolist()]
        for mu in range(4):
            assert abs(Fraction(E[mu]) - factor * dot(Z[mu], W)) <= Fraction(error[mu])
        for j in range(N):
            exact = abs(unit * dot([row[j] for row in Z], strength))
            assert exact <= Fraction(g[j])
            assert Fraction(g[j]) <= exact * (1 + Fraction(2) ** -50) + Fraction(size[j]) / 2**90 + Fraction(
                1e-300
            )


def test_both_bounds_are_rounded_outwards():
    rng = np.random.default_rng(1)
    for k in range(400):
        X, S = wild(rng, k), np.ones(4)
        w, x = rng.standard_normal(X.shape[1]), rng.random(4)
        rows = build_rows(X, S)
        Z, W = [[Fraction(v) for v in row] for row in X.tolist()], [Fraction(v) for v in w.tolist()]
        strength = [Fraction(v) for v in x.tolist()]
        least, g = min(dot(z, W) for z in Z), [dot(list(c), strength) for c in zip(*Z, strict=True)]
        found = stability_bounds(rows, w, x)
        assert square(found.lower) * dot(W, W) <= square(least)
        assert square(found.upper) * sum(strength) ** 2 >= dot(g, g)


def test_a_balance_is_proven_only_where_there_is_one():
    rng = np.random.default_rng(2)
    for _ in range(200):
        Z = rng.standard_normal((12, 4))
        x, truth = rng.random(12), not any(nearest_point(Z))
        # For any x neither proof may succeed on a separable set.
        assert not proves_balance(Z, x) or truth
        assert balanced_strengths(Z, x) is None or truth
        assert not proves_separation(Z, rng.standard_normal(4)) or not truth


def test_an_input_that_is_zero_in_all_rows_in_use_is_balanced():
    rng = np.random.default_rng(5)
    proven = 0
    for k in range(200):
        Z = rng.standard_normal((12, 4))
        Z[:, 2] = 0.0
        x = rng.random(12)
        if k % 2:
            # Not zero, though its square underflows: this input would have to be balanced as well.
            Z[3, 2] = 1e-200
        away = np.linalg.pinv(Z.T) @ Z.T
        for _ in range(1000):
            x = np.maximum(x - away @ x, 0.0)  # to a balance, and back to x >= 0
        used = x > 1e-7 * x.max()
        found = proves_balance(Z, x)
        assert not found or np.array_equal(x > 0, used)
        assert not found or not any(nearest_point(Z))
        assert not found or k % 2 == 0 or x[3] < 1e-6 * x.max()
        proven += found
    assert proven > 20


def test_integers_find_the_balance_of_dependent_rows():
    Z = np.array([[1.0, 2.0, 3.0], [-0.5, -1.0, -1.5], [3.0, 1.0, 0.0]])
    found = exact_strengths(Z, np.array([1.0, 2.1, 0.0]))
    assert found is not None
    assert [sum(s * Fraction(Z[mu, j]) for mu, s in found.items()) for j in range(3)] == [0, 0, 0]
    assert exact_strengths(Z, np.array([1.0, 0.0, 1.0])) is None


def test_the_simplex_method_agrees_with_the_nearest_point():
    rng = np.random.default_rng(4)
    answers = []
    for _ in range(150):
        Z = rng.integers(-2, 3, (6, 3)) * 2.0 ** rng.integers(-3, 4, (6, 1))
        w, x = simplex.decide_exactly(Z)
        answers.append(w is not None)
        assert (w is not None) == any(nearest_point(Z))
        rows = [[Fraction(v) for v in row] for row in Z.tolist()]
        if w is not None:
            assert all(dot(row, w) > 0 for row in rows)
        else:
            assert min(x.values()) > 0
            assert all(sum(s * rows[mu][j] for mu, s in x.items()) == 0 for j in range(3))
    assert 20 < sum(answers) < 130


def test_centring_is_exact_or_not_done():
    X = np.array([[2000.0, 1e-3, 1.0], [2001.0, 1e17, 1.0], [2003.0, 5.0, 1.0]])
    same = equivalent_examples(build_rows(X, np.ones(3)))
    assert same.m[0] in X[:, 0]
    assert same.m[1] == 0
    v = np.array([1.0, 2.0, -3.0])
    w = same.original_weights(v, np.zeros(3))
    for mu in range(3):
        here = dot([Fraction(a) for a in X[mu].tolist()], w)
        there = dot([Fraction(a) for a in same.C[mu].tolist()], [Fraction(a) for a in v.tolist()])
        assert here == there / Fraction(2) ** int(same.a[mu])


def test_verify_accepts_true_and_rejects_false_certificates():
    X, y = np.array([[2000.0], [2001], [2002], [2003]]), [0, 0, 1, 1]
    yes, no = separability(X, y, fit_intercept=True), separability(X, [0, 1, 0, 1], fit_intercept=True)
    assert verify(X, y, yes)
    assert verify(X, [0, 1, 0, 1], no)
    assert not verify(X, [1, 0, 0, 1], yes)
    low, high = yes.stability_bounds
    assert not verify(X, y, replace(yes, stability_bounds=(high * 1.01, high * 1.02)))
    assert not verify(X, y, replace(yes, stability_bounds=(low / 2, low * 0.9)))
    assert not verify(X, y, replace(no, embedding=np.array([1.0, 0.0, 0.0, 0.0])))
    # With negative strengths any bound could be "reached": they are left out.
    tampered = replace(yes, embedding=np.array([1.0, -1.0, 1.0, -1.0]), stability_bounds=(low / 4, low / 2))
    assert not verify(X, y, tampered)


def test_verify_changes_all_strengths_a_little_where_few_would_change_by_much():
    # The two examples of the largest strengths depend on each other but for their last digits.
    Z = np.array([[1.0, 3.0], [0.1, 0.3], [-1.1, -1.0], [0.0, -2.3]])
    x = np.array([1.0, 1.0, 1.0, 1.0])
    x[2:] -= [0.0, 1e-12]
    equations = [[Fraction(v) for v in column] for column in Z.T.tolist()]
    strengths = [Fraction(v) for v in x.tolist()]
    assert find_null_vector(equations, strengths) is None
    found = find_nearest_balance(equations, strengths)
    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, strengths, strict=True)) < 1e-11
    assert [dot(row, found) for row in equations] == [0, 0]
    # Dependent inputs have no such solution, and a far one has negative strengths.
    assert find_nearest_balance([*equations, equations[0]], strengths) is None
    assert find_nearest_balance([[Fraction(1), Fraction(1)]], [Fraction(1), Fraction(2)]) is None


def test_a_fitted_adatron_is_a_certificate():
    xi, S, _ = teacher_examples(30, 5, seed=0)
    assert verify(xi, S, AdaTron(fit_intercept=False).fit(xi, S))
    X, y = np.array([[2000.0], [2001], [2002], [2003]]), np.array([0, 0, 1, 1])
    student = AdaTron(random_state=0).fit(X, y)
    assert verify(X, y, student)
    low, high = student.stability_bounds_
    # No proof is needed of an infinite bound, and none exists of a negative one.
    for bounds, true in (((low, np.inf), True), ((high * 1.001, 1.0), False), ((low, -1.0), False)):
        student.stability_bounds_ = bounds
        assert verify(X, y, student) == true
    # Without weights only -max |xi| is below the stability.
    student.coef_, student.intercept_ = np.zeros((1, 1)), np.zeros(1)
    for least, true in ((-2004.0, True), (-2003.0, False)):
        student.stability_bounds_ = (least, high)
        assert verify(X, y, student) == true


@pytest.mark.parametrize("seed", range(20))
def test_the_hull_comes_within_its_distance_from_the_origin(seed):
    rng = np.random.default_rng(seed)
    points = (rng.integers(-9, 10, (6, 3)) + np.array([rng.integers(0, 12), 0, 0])).astype(float)
    # Dependent ones as well.
    points[1] = 2.0 * points[0]
    nearest = nearest_point(points)
    rows, distance = (
        [[Fraction(v) for v in row] for row in points.tolist()],
        float(dot(nearest, nearest)) ** 0.5,
    )
    weights = [Fraction(v) for v in rng.random(6).tolist()]
    assert hull_comes_within(rows, weights, Fraction(distance * (1 + 1e-12)))
    assert distance == 0.0 or not hull_comes_within(rows, weights, Fraction(distance * (1 - 1e-12)))


@pytest.mark.parametrize(
    ("X", "y", "certificate", "sentence"),
    [
        (np.eye(3), [0, 1, 1], separability, "is about 2 examples, but X has 3"),
        (np.eye(2), [0, 0], separability, "two kinds are needed"),
        (np.eye(2), [0, 1], lambda X, y: Hebb().fit(X, y), "Hebb is no certificate"),
    ],
)
def test_what_cannot_be_verified_raises(X, y, certificate, sentence):
    made = certificate(np.eye(2), [0, 1])
    with pytest.raises(ValueError, match=sentence):
        verify(X, y, made)


@pytest.mark.parametrize("operation", [two_sum, two_product], ids=["sum", "product"])
@pytest.mark.parametrize("fastmath", [False, FLAGS], ids=["strict", "flags"])
def test_sums_with_errors_are_exact_in_code_that_may_add_in_another_order(operation, fastmath):
    def both(a, b):
        return operation(a, b)

    high, low = numba.njit(both, fastmath=fastmath)(0.1, 0.7)
    exact = Fraction(0.1) + Fraction(0.7) if operation is two_sum else Fraction(0.1) * Fraction(0.7)
    assert Fraction(high) + Fraction(low) == exact


def test_products_without_a_fused_multiply_add_are_the_same():
    rng = np.random.default_rng(0)
    for a, b in rng.standard_normal((500, 2)) * 10.0 ** rng.uniform(-100, 100, (500, 2)):
        assert two_product_split(a, b) == two_product(a, b)
