"""Storage capacities of tree machines: quoted values, identities between the approximations, sampling."""

import mpmath as mp
import numpy as np
import pytest

from markone.machines.theory import bounds, capacity, one_step_committee


def committee_cost(t):
    """The least sum of squares to be flipped for a positive majority; one row per example."""
    K = t.shape[1]
    squares = np.sort(np.where(t < 0, t * t, np.inf), axis=1)
    need = np.maximum((t < 0).sum(axis=1) - (K - 1) // 2, 0)
    return np.where(np.arange(K) < need[:, None], squares, 0).sum(axis=1)


def test_one_unit_is_a_perceptron():
    assert capacity.committee_replica_symmetric(1) == pytest.approx(2, rel=1e-12)
    assert capacity.parity_replica_symmetric(1) == pytest.approx(2, rel=1e-12)
    assert capacity.parity_one_step(1) == 2
    assert capacity.committee_one_step(1) == 2


@pytest.mark.parametrize("K", [3, 5, 9])
def test_committee_cost_by_sampling(K):
    cost = committee_cost(np.random.default_rng(K).standard_normal((400_000, K)))
    error = cost.std() / np.sqrt(cost.size)
    assert abs(cost.mean() - 1 / capacity.committee_replica_symmetric(K)) < 4 * error


def test_parity_cost_at_25_digits():
    assert capacity.parity_replica_symmetric(2) == pytest.approx(2 / (1 - 2 / np.pi), rel=1e-12)
    with mp.workdps(25):
        exact = mp.quad(lambda t: t * t * 5 * 2 * mp.npdf(t) * mp.erfc(t / mp.sqrt(2)) ** 4, [0, 1, 3, 12])
        assert capacity.parity_replica_symmetric(5) == pytest.approx(float(2 / exact), rel=1e-11)


def test_values_of_the_literature():
    assert capacity.committee_replica_symmetric(3) == pytest.approx(4.02, abs=0.01)
    assert capacity.parity_one_step(2) == pytest.approx(4.064, abs=5e-4)
    assert capacity.parity_one_step(3) == pytest.approx(4.998, abs=5e-4)
    assert capacity.committee_one_step(3) == pytest.approx(3.1458, abs=5e-5)
    assert capacity.committee_replica_symmetric(2001) / np.sqrt(72 * 2001 / np.pi) == pytest.approx(
        1, abs=0.05
    )


def test_where_replica_symmetry_breaks_the_bound():
    assert [
        K for K in (1, 3, 5, 7, 9) if not capacity.below_bound(capacity.committee_replica_symmetric(K), K)
    ] == [7, 9]
    assert [K for K in (1, 2, 3, 4) if not capacity.below_bound(capacity.parity_replica_symmetric(K), K)] == [
        2,
        3,
        4,
    ]


@pytest.mark.parametrize("K", [2, 3, 4, 10, 100, 1000])
def test_one_step_parity_is_below_the_bound_and_saturates_it(K):
    value, bound = capacity.parity_one_step(K), bounds.capacity_bound(K)
    assert value < bound
    assert value < capacity.parity_replica_symmetric(K)
    if K >= 100:
        assert value > 0.98 * bound


def test_one_step_parity_at_25_digits():
    """(1/2) ln(1+x)/(-ln E exp(-x cost/2)) with K = 2, at 25 digits on a parabola through the minimum."""
    with mp.workdps(25):

        def alpha(log_x):
            x = mp.exp(log_x)

            def integrand(t):
                return mp.exp(-x * t * t / 2) * 4 * mp.npdf(t) * mp.erfc(t / mp.sqrt(2))

            mean = mp.quad(integrand, [0, 0.1, 0.5, 2, 12])
            return -mp.log(1 + x) / 2 / mp.log((1 + mean) / 2)

        middle, width = mp.mpf(3), mp.mpf(1)
        for _ in range(7):
            low, here, high = (alpha(middle + s * width) for s in (-1, 0, 1))
            middle += width * (low - high) / (2 * (low - 2 * here + high))
            width /= 6
        assert capacity.parity_one_step(2) == pytest.approx(float(alpha(middle)), rel=1e-10)


def test_one_step_committee_contains_replica_symmetry():
    """For x -> 0 the value of q0 does not matter and alpha -> 1/E[cost]."""
    for q0 in (0.1, 0.6):
        assert one_step_committee.capacity_at(1e-7, q0) == pytest.approx(
            capacity.committee_replica_symmetric(3), rel=1e-6
        )


def test_one_step_committee_without_correlations_by_sampling():
    """q0 = 0: (1/2) ln(1+x)/(-ln E exp(-x cost/2))."""
    x = 20.0
    sample = np.exp(-0.5 * x * committee_cost(np.random.default_rng(1).standard_normal((400_000, 3))))
    error = sample.std() / np.sqrt(sample.size)
    Z = np.exp(-0.5 * np.log1p(x) / one_step_committee.capacity_at(x, 1e-14))
    assert abs(sample.mean() - Z) < 4 * error


def test_one_step_committee_is_a_converged_minimum():
    best = capacity.committee_one_step(3)
    assert one_step_committee.capacity_at(21.227, 0.6396, step=0.25) == pytest.approx(best, rel=1e-8)
    for x, q0 in ((20.5, 0.6396), (22.0, 0.6396), (21.227, 0.63), (21.227, 0.65)):
        assert one_step_committee.capacity_at(x, q0) > best


def test_what_nobody_computed_is_nan():
    assert np.isnan(capacity.committee_one_step(5))


def test_leading_orders():
    assert capacity.parity_large(8) == 3
    assert capacity.committee_large(3) == pytest.approx(16 / np.pi * np.sqrt(np.log(3)))


@pytest.mark.parametrize(
    "question", [capacity.committee_replica_symmetric, capacity.committee_one_step, capacity.committee_large]
)
def test_a_committee_needs_a_majority(question):
    with pytest.raises(ValueError, match="an odd number of units to have a majority, not K = 4"):
        question(4)
