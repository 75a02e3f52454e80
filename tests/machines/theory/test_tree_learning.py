"""Tree machines that learn from a teacher: limits, transitions, averages against other quadratures."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf, erfinv, ndtr

from markone.machines.theory import averages, bayes_committee, tree_learning
from markone.perceptron.theory.online import optimal

MACHINES = [("committee", 3), ("parity", 2), ("parity", 3)]


def machine_output(machine, p):
    """Z and dZ/dp_1 from the probabilities p (K, samples)."""
    if machine == "parity":
        e = 2 * p - 1
        return 0.5 * (1 + np.prod(e, axis=0)), np.prod(e[1:], axis=0)
    a, b, c = p
    return a * b + a * c + b * c - 2 * a * b * c, b + c - 2 * b * c


@pytest.mark.parametrize(("machine", "K"), MACHINES)
@pytest.mark.parametrize("g", [0.3, 2.0])
def test_the_gain_by_sampling(machine, K, g):
    t = np.random.default_rng(2).standard_normal((K, 400_000))
    Z, slope = machine_output(machine, ndtr(g * t))
    values = K * slope**2 * np.exp(-((g * t[0]) ** 2)) / (2 * np.pi) / (Z * (1 - Z))
    exact = averages.committee_gain(g) if machine == "committee" else averages.parity_gain(g, K)
    assert abs(values.mean() - exact) < 4 * values.std() / np.sqrt(values.size)


@pytest.mark.parametrize(("machine", "K"), MACHINES)
def test_the_gain_with_more_points_and_later_saturation(machine, K, monkeypatch):
    def gain(g):
        return averages.committee_gain(g) if machine == "committee" else averages.parity_gain(g, K)

    g = (0.01, 0.5, 2.0, 7.0, 200.0)
    before = [gain(x) for x in g]
    points, weights = np.polynomial.legendre.leggauss(72)
    monkeypatch.setattr(averages, "_POINTS", points)
    monkeypatch.setattr(averages, "_WEIGHTS", weights)
    monkeypatch.setattr(averages, "CUT", 9.0)
    monkeypatch.setattr(averages, "FAR", 9.5)
    assert [gain(x) for x in g] == pytest.approx(before, rel=1e-10)


@pytest.mark.parametrize(("machine", "K"), MACHINES)
def test_the_series_is_the_gain(machine, K):
    n = averages.first_power(machine, K)
    for g in (1e-3, 0.2, 3.3, 1e5):
        exact = averages.committee_gain(g) if machine == "committee" else averages.parity_gain(g, K)
        series = averages.gain_series(machine, K)(g / (1 + g)) * g ** (2 * n) / (1 + g) ** (2 * n + 1)
        assert series == pytest.approx(exact, rel=1e-11)


def test_one_unit_is_the_perceptron():
    """F of a 'parity machine' with K = 1 is the information of the Bayes-optimal perceptron, 2 I(g)."""
    for g in (0.1, 1.0, 20.0):
        assert averages.parity_gain(g, 1) == pytest.approx(2 * optimal.information_per_example(g), rel=1e-10)


def test_parity_of_two_by_ordinary_quadrature():
    g = 1.3

    def inner(t):
        e, h = erf(g * t / np.sqrt(2)), ndtr(-g * t)

        def f(s):
            other, k = erf(g * s / np.sqrt(2)), ndtr(-g * s)
            one_minus = 2 * (h + k - 2 * h * k)  # 1 - e other
            return np.exp(-0.5 * s * s) * other**2 / (one_minus * (1 + e * other))

        return np.exp(-0.5 * t * t - g * g * t * t) * quad(f, 0, 9, epsrel=1e-11)[0]

    exact = 2 * 4 * 4 / (2 * np.pi) ** 2 * quad(inner, 0, 9, epsrel=1e-11)[0]
    assert averages.parity_gain(g, 2) == pytest.approx(exact, rel=1e-9)


def test_bayes_error_of_the_committee_by_sampling_and_refinement():
    for g in (0.2, 1.0, 6.0):
        t = np.random.default_rng(3).standard_normal((3, 400_000))
        Z, _ = machine_output("committee", ndtr(g * t))
        values = np.minimum(Z, 1 - Z)
        assert abs(values.mean() - bayes_committee.bayes_error(g)) < 4 * values.std() / np.sqrt(values.size)
        assert bayes_committee.bayes_series()(g / (1 + g)) / (1 + g) == pytest.approx(
            bayes_committee.bayes_error(g), rel=1e-11
        )


def test_bayes_error_of_the_committee_by_ordinary_quadrature():
    """E|s|: for every pair of the other units, t_1 on both sides of the place where s = 0."""
    g = 1.5
    x, w = np.polynomial.legendre.leggauss(300)
    t, w = 8 * x, 8 * w * np.exp(-32 * x * x) / np.sqrt(2 * np.pi)
    e = erf(g * t / np.sqrt(2))
    a, b = 1 - np.outer(e, e), e[:, None] + e
    kink = np.clip(np.sqrt(2) * erfinv(np.clip(-b / np.maximum(a, 1e-99), -1, 1)) / g, -8, 8)
    x, v = np.polynomial.legendre.leggauss(40)
    mean = 0.0
    for low, high in ((-8.0, kink), (kink, 8.0)):
        width = 0.5 * (high - low)
        t1 = low + width * (1 + x[:, None, None])
        s = 0.5 * np.abs(a * erf(g * t1 / np.sqrt(2)) + b)
        mean += w @ (width * np.tensordot(v, s * np.exp(-0.5 * t1 * t1), (0, 0))) @ w / np.sqrt(2 * np.pi)
    assert bayes_committee.bayes_error(g) == pytest.approx(0.5 * (1 - mean), abs=1e-5)


@pytest.mark.parametrize(("machine", "K"), MACHINES)
def test_curves_start_at_one_half_and_end_like_the_perceptron(machine, K):
    alpha = np.concatenate([[0.0], np.logspace(-2, 6, 300)])
    q = tree_learning.overlap(alpha, machine, K)
    gibbs = tree_learning.gibbs_error(alpha, machine, K)
    bayes = tree_learning.bayes_error(alpha, machine, K)
    assert q[0] == 0
    assert gibbs[0] == pytest.approx(0.5)
    assert bayes[0] == pytest.approx(0.5)
    assert np.all(np.diff(q) >= -1e-12)
    assert np.all(np.diff(gibbs) <= 1e-12)
    assert np.all(np.diff(bayes) <= 1e-12)
    assert np.all((bayes <= gibbs + 1e-12) & (gibbs <= 2 * bayes + 1e-12))
    bayes_constant = optimal.asymptotic_constant() / 2
    assert 1e6 * bayes[-1] == pytest.approx(bayes_constant, rel=1e-5)
    assert 1e6 * gibbs[-1] == pytest.approx(np.sqrt(2) * bayes_constant, rel=1e-5)


@pytest.mark.parametrize(("machine", "K"), MACHINES)
def test_the_overlap_solves_its_equation(machine, K):
    for alpha in (1.3, 3.3, 40.0):
        q = tree_learning.overlap(alpha, machine, K)
        if q > 0:
            g = np.sqrt(q / (1 - q))
            exact = averages.committee_gain(g) if machine == "committee" else averages.parity_gain(g, K)
            assert alpha * exact == pytest.approx(q, rel=1e-10)


def test_parity_of_two_starts_continuously():
    assert tree_learning.onset(2) == pytest.approx(np.pi**2 / 8)
    below, above, later = tree_learning.overlap(np.pi**2 / 8 + np.array([-1e-9, 1e-6, 0.1]), "parity", 2)
    assert below == 0
    assert 0 < above < 1e-5
    assert later > 0.05


def test_parity_of_three_jumps():
    assert tree_learning.spinodal() == pytest.approx(2.9066, abs=5e-5)
    assert tree_learning.transition() == pytest.approx(3.1890, abs=5e-5)
    assert tree_learning.onset(3) == tree_learning.transition()
    alpha = np.array([2.90, 2.91, 3.18, 3.20])
    assert list(tree_learning.overlap(alpha, "parity", 3) > 0) == [False, False, False, True]
    assert list(tree_learning.overlap(alpha, "parity", 3, metastable=True) > 0) == [False, True, True, True]
    assert tree_learning.bayes_error(3.0, "parity", 3) == 0.5
    assert tree_learning.bayes_error(3.0, "parity", 3, metastable=True) < 0.3


def test_the_transition_obeys_the_area_rule():
    """int_0^q* (alpha* - alpha(q)) (dS/dq) dq = 0: no entropies compared, only the curve alpha(q)."""
    star = tree_learning.transition()
    end = tree_learning.overlap(star * (1 + 1e-12), "parity", 3)

    def integrand(q):
        g = np.sqrt(q / (1 - q))
        gain = averages.parity_gain(g, 3)
        # d(-S)/dq = F/(2 (1-q)); alpha(q) F = q
        return (star * gain - q) / (2 * (1 - q))

    assert quad(integrand, 0, end, epsrel=1e-10, epsabs=1e-12)[0] == pytest.approx(0, abs=1e-9)


def test_scalars_and_nonsense():
    assert isinstance(tree_learning.overlap(2.0), float)
    assert np.isnan(tree_learning.gibbs_error(np.nan))
    with pytest.raises(ValueError, match="No learning curve for machine 'committee' with K = 5"):
        tree_learning.overlap(1.0, "committee", 5)
    with pytest.raises(ValueError, match="alpha must be at least 0"):
        tree_learning.overlap(-1.0)


def test_where_parity_machines_begin_to_know_over_their_units():
    K = np.array([1, 2, 3, 4])
    spinodal, transition = tree_learning.spinodal_curve(K), tree_learning.transition_curve(K)
    assert np.isnan(spinodal).tolist() == np.isnan(transition).tolist() == [True, False, False, True]
    assert spinodal[1:3] == pytest.approx([np.pi**2 / 8, 2.9066], abs=5e-5)
    assert transition[1:3] == pytest.approx([np.pi**2 / 8, 3.1890], abs=5e-5)
