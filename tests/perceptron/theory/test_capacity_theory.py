import itertools
import math
import warnings

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import linprog

from markone.perceptron.theory import capacity
from markone.perceptron.theory.capacity import ReplicaSymmetryWarning


def recursion(P, N):
    """Cover's recursion C(P+1, N) = C(P, N) + C(P, N-1)."""
    if P == 1:
        return 2
    return 2 if N == 1 else recursion(P - 1, N) + recursion(P - 1, N - 1)


def test_count_is_covers_recursion():
    for P, N in itertools.product(range(1, 13), range(1, 9)):
        assert capacity.count(P, N) == recursion(P, N)
    assert capacity.count(6, 2, threshold=True) == recursion(6, 3)


def test_count_by_trying_all_labels():
    xi = np.random.default_rng(5).standard_normal((6, 3))
    found = 0
    for S in itertools.product((-1, 1), repeat=6):
        constraints = -xi * np.array(S)[:, None]
        found += linprog(np.zeros(3), A_ub=constraints, b_ub=-np.ones(6), bounds=(None, None)).status == 0
    assert found == capacity.count(6, 3)


def test_fraction_against_exact_integers():
    for P, N in [(1, 1), (5, 5), (6, 5), (10, 5), (40, 39), (200, 90), (3000, 1400), (2100, 1000)]:
        exact = mp.mpf(capacity.count(P, N)) / mp.mpf(2) ** P
        assert capacity.separable_fraction(P, N) == pytest.approx(float(exact), rel=1e-12)
        with mp.workdps(40):
            log = mp.log(mp.mpf(capacity.count(P, N)) / mp.mpf(2) ** P)
            assert capacity.log_separable_fraction(P, N) == pytest.approx(float(log), rel=1e-11)
            assert capacity.log_count(P, N) == pytest.approx(float(mp.log(capacity.count(P, N))), rel=1e-13)


@pytest.mark.parametrize(("P", "N"), [(5000, 100), (40000, 10000), (1500, 1)])
def test_far_tail_in_logarithms(P, N):
    with mp.workdps(30):
        exact = float(mp.log(mp.mpf(capacity.count(P, N))) - P * mp.log(2))
    assert exact < math.log(1e-280)
    assert capacity.log_separable_fraction(P, N) == pytest.approx(exact, rel=1e-11)


def test_far_tail_at_a_hundred_thousand_inputs():
    P, N = 260_000, 100_000
    with mp.workdps(30):
        term = total = mp.binomial(P - 1, N - 1)
        for i in range(N - 1, N - 400, -1):
            term *= mp.mpf(i) / (P - i)
            total += term
        exact = float(mp.log(total) - (P - 1) * mp.log(2))
        assert term < mp.mpf(10) ** -25 * total
    assert capacity.log_separable_fraction(P, N) == pytest.approx(exact, rel=1e-11)


def test_half_at_twice_the_dimension_up_to_a_hundred_thousand():
    N = np.array([1, 2, 17, 1000, 10**5])
    np.testing.assert_allclose(capacity.separable_fraction(2 * N, N), 0.5, rtol=1e-11)
    np.testing.assert_allclose(capacity.separable_fraction(2 * N + 2, N, threshold=True), 0.5, rtol=1e-11)
    assert (capacity.separable_fraction(N, N) == 1).all()
    assert (capacity.separable_fraction(N + 1, N, threshold=True) == 1).all()


def test_both_sides_add_up():
    """Separable with N inputs <=> i < N heads in P-1 throws, so the fractions for N and P-N add up to one."""
    P = np.arange(2, 60)
    total = capacity.separable_fraction(P, 1) + capacity.separable_fraction(P, np.maximum(P - 1, 1))
    np.testing.assert_allclose(total[P > 2], 1, rtol=1e-14)


def test_large_N_form():
    N = 40000
    P = 2 * N + np.arange(-600, 601, 100)
    np.testing.assert_allclose(
        capacity.separable_fraction_large(P / N, N), capacity.separable_fraction(P, N), atol=0.004
    )
    h = 1e-6
    slope = np.diff(capacity.separable_fraction_large([2 - h, 2 + h], 50)) / (2 * h)
    assert slope == pytest.approx(-math.sqrt(50 / (4 * math.pi)), rel=1e-6)
    assert capacity.separable_fraction_large(0.0, 50) == 1


@pytest.mark.parametrize(("P", "N"), [(0, 1), (3, 0), (2.5, 2), (-4, 2)])
def test_only_counts_are_counted(P, N):
    with pytest.raises(ValueError, match="must be an integer, at least 1"):
        capacity.separable_fraction(P, N)


def test_gardner_and_its_inverse():
    alpha = np.array([1e-8, 0.01, 0.5, 1.0, 1.9, 1.999999])
    np.testing.assert_allclose(capacity.alpha_c(capacity.stability(alpha)), alpha, rtol=1e-13)
    assert capacity.alpha_c() == 2
    assert capacity.alpha_c(np.inf) == 0
    np.testing.assert_allclose(capacity.stability([0.5, 1, 2]), [1.034314, 0.470655, 0], atol=6e-7)


def test_limits_of_the_stability():
    assert capacity.stability(0.0) == math.inf
    assert capacity.stability(1e-10) == pytest.approx(1e5, rel=1e-9)
    gap = 1e-7
    # gap as it is after rounding 2 - gap
    slope = capacity.stability(2 - gap) / (2 - (2 - gap))
    assert slope == pytest.approx(math.sqrt(2 * math.pi) / 8, rel=1e-6)
    assert np.isnan(capacity.stability([2.0001, 5.0])).all()
    assert np.isnan(capacity.support_vectors(3.0))


def test_stability_to_twenty_five_digits():
    with mp.workdps(25):

        def condition(k):
            return mp.mpf(3) / 4 * mp.quad(lambda t: mp.npdf(t) * (t + k) ** 2, [-k, 0, 8, 20]) - 1

        exact = mp.findroot(condition, (0.5, 1.0), solver="anderson", tol=1e-22)
    assert capacity.stability(0.75) == pytest.approx(float(exact), rel=1e-14)


def test_replica_symmetry_is_doubted_below_zero_only():
    with pytest.warns(ReplicaSymmetryWarning, match="upper bound"):
        assert capacity.alpha_c(-0.5) > 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        capacity.alpha_c([0.0, 1.0])


def test_distribution_of_stabilities_is_normalised():
    for alpha in (0.2, 1.0, 1.9):
        kappa = capacity.stability(alpha)
        k = np.linspace(kappa, 12, 200001)[1:]
        density = np.trapezoid(capacity.stability_density(k, alpha), k)
        assert density + capacity.stability_weight(alpha) == pytest.approx(1, abs=1e-4)
        assert capacity.stability_density(kappa - 0.01, alpha) == 0
    assert np.isnan(capacity.stability_density(0.0, 2.5))


def test_support_vectors():
    assert capacity.support_vectors(2.0) == pytest.approx(1)
    assert capacity.support_vectors(0.0) == 0
    alpha = np.linspace(0.01, 2, 50)
    assert (capacity.support_vectors(alpha) <= np.minimum(alpha, 1) + 1e-15).all()
