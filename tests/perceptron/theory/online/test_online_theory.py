"""On-line learning curves: each rule against the definition of its averages, its limits and its constants."""

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import ndtr

from markone.perceptron.theory.online import adatron, hebb, lms, optimal, optimal_rate, rosenblatt

RULES = [hebb, rosenblatt, adatron, lms, optimal, optimal_rate]
CASES = [
    (hebb, {}),
    (rosenblatt, {}),
    (rosenblatt, {"c": 0.7}),
    (adatron, {"eta": 1.0}),
    (adatron, {"eta": 1.7}),
    (lms, {"eta": 0.6}),
    (lms, {"eta": 2.0}),
    (optimal, {}),
    (optimal_rate, {}),
]


def modulation(rule, t, theta, l, lam, c=0.0, eta=1.0):
    """f as the student computes it, t = E/|w|."""
    if rule is hebb:
        return 1.0
    if rule is rosenblatt:
        return float(l * t <= c)
    if rule is adatron:
        return -eta * l * t * (t < 0)
    if rule is lms:
        return eta * (1 - l * t)
    if rule is optimal:
        z = t / np.tan(theta)
        density = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)
        return l * (1 - 2 * lam) * np.tan(theta) * density / (lam + (1 - 2 * lam) * ndtr(z))
    return optimal_rate.best_rate_at(theta, lam) * l * (t < 0)


def averages(rule, theta, l, lam, **parameters):
    """<f s>, <f t>, <f^2> by quadrature over t; s given t is Gaussian, cut at 0 by the label."""
    R, sine = np.cos(theta), np.sin(theta)

    def bell(x):
        return np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)

    def s_positive(t):
        return R * t * ndtr(R * t / sine) + sine * bell(R * t / sine)

    def density(t):
        return 2 * bell(t) * (lam + (1 - 2 * lam) * ndtr(R * t / sine))

    def s_density(t):
        right = s_positive(t)
        return 2 * bell(t) * ((1 - lam) * right + lam * (R * t - right))

    def f(t):
        return modulation(rule, t, theta, l, lam, **parameters)

    cut = parameters.get("c", 0.0) / l
    pieces = [-9, min(cut, 8.0), 9]

    def integral(g):
        return sum(quad(g, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in pairwise(pieces))

    return (
        integral(lambda t: f(t) * s_density(t)),
        integral(lambda t: f(t) * t * density(t)),
        integral(lambda t: f(t) ** 2 * density(t)),
    )


@pytest.mark.parametrize("noise", [0.0, 0.15])
@pytest.mark.parametrize(("rule", "parameters"), CASES)
def test_the_curve_obeys_the_equations_of_motion(rule, parameters, noise):
    """d(rho)/dalpha = <f s>, dQ/dalpha = 2 |w| <f t> + <f^2> with f as the student computes it."""
    h = 1e-3
    for alpha in (0.4, 3.0):
        here = rule.trajectory(alpha, noise, **parameters)
        around = rule.trajectory(alpha + h * np.array([-2, -1, 1, 2]), noise, **parameters)
        theta, l = float(here.theta), float(here.norm)
        fs, ft, ff = averages(rule, theta, l, noise, **parameters)
        stencil = np.array([1, -8, 8, -1]) / (12 * h)
        assert stencil @ (around.norm * around.R) == pytest.approx(fs, rel=1e-8, abs=1e-9)
        assert stencil @ around.Q == pytest.approx(2 * l * ft + ff, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_rosenblatt_against_another_integrator_in_other_variables(noise):
    L = 1 - 2 * noise

    def flow(root, state):
        rho, Q = state
        R = rho / np.sqrt(Q)
        wrong = noise + L * np.arccos(R) / np.pi
        gap = (1 - L * R) / np.sqrt(2 * np.pi)
        return 2 * root * (L - R) / np.sqrt(2 * np.pi), 2 * root * (wrong - 2 * np.sqrt(Q) * gap)

    s0 = 1e-7
    ends = np.sqrt([0.1, 1.0, 5.0, 20.0])
    begin = (L * s0**2 / np.sqrt(2 * np.pi), s0**2 / 2)
    rho, Q = [], []
    for end in ends:
        y = solve_ivp(flow, (s0, end), begin, "DOP853", rtol=1e-13, atol=1e-18).y[:, -1]
        rho.append(y[0])
        Q.append(y[1])
    assert rosenblatt.overlap(ends**2, noise) == pytest.approx(np.array(rho) / np.sqrt(Q), rel=1e-9)
    assert rosenblatt.norm(ends**2, noise) == pytest.approx(np.sqrt(Q), rel=1e-9)


@pytest.mark.parametrize(("noise", "eta"), [(0.0, 1.0), (0.0, 1.5), (0.1, 1.0)])
def test_adatron_against_its_quadrature_at_25_digits(noise, eta):
    """alpha = int dR/(dR/dalpha), from theta back to pi/2."""
    with mp.workdps(25):
        noise, eta = mp.mpf(str(noise)), mp.mpf(str(eta))

        def first(th):
            return (mp.sin(th) - th * mp.cos(th)) / mp.pi

        def second(th):
            return (th - mp.sin(th) * mp.cos(th)) / mp.pi

        def speed(th):
            gain = eta * ((1 - noise) * first(th) - noise * first(mp.pi - th))
            loss = (eta**2 - 2 * eta) * ((1 - noise) * second(th) + noise * second(mp.pi - th)) / 2
            return gain - mp.cos(th) * loss

        for alpha in (0.5, 4.0):
            theta = mp.pi * mp.mpf(float(adatron.generalization_error(alpha, float(noise), float(eta))))
            assert float(mp.quad(lambda th: mp.sin(th) / speed(th), [theta, 1, mp.pi / 2])) == pytest.approx(
                alpha, rel=1e-9
            )


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.3])
def test_the_information_integral_at_25_digits(noise):
    with mp.workdps(25):
        for g in (0.2, 1.0, 30.0):
            lam = mp.mpf(str(noise))

            def integrand(t, g=g, lam=lam):
                u = g * t
                return mp.npdf(t) * mp.npdf(u) ** 2 / (lam + (1 - 2 * lam) * mp.ncdf(u))

            w = 1 / mp.sqrt(1 + g * g)
            exact = mp.quad(integrand, [k * w for k in (-14, -6, -3, 0, 3, 6, 14)])
            assert optimal.information_per_example(g, noise) == pytest.approx(float(exact), rel=1e-12)


def test_optimal_against_the_quadrature_over_the_squared_cotangent():
    for noise in (0.0, 0.1):
        g = 1 / np.tan(optimal.trajectory(np.array([0.5, 5.0]), noise).theta)

        def pace(x, noise=noise):
            return 1 / (
                (1 + x) * 2 * (1 - 2 * noise) ** 2 * optimal.information_per_example(np.sqrt(x), noise)
            )

        for end, alpha in zip(g, (0.5, 5.0), strict=True):
            assert quad(pace, 0, end**2, epsrel=1e-12, epsabs=0)[0] == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_errors_fall_from_one_half(rule, noise):
    alpha = np.concatenate([[0.0], np.logspace(-30, 3, 300)])
    epsilon = rule.generalization_error(alpha, noise)
    assert epsilon[0] == 0.5
    steps = np.diff(epsilon)
    # LMS at constant rate overshoots: the transient is better than the stationary state.
    assert np.all(steps <= 1e-12) or rule in (lms,)
    assert np.all((epsilon > 0) & (epsilon <= 0.5))


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.3])
def test_nothing_beats_the_optimal_rule(noise):
    alpha = np.logspace(-3, 4, 60)
    best = optimal.generalization_error(alpha, noise)
    for rule in (hebb, rosenblatt, lms, optimal_rate, adatron):
        assert np.all(rule.generalization_error(alpha, noise) >= best * (1 - 1e-10))
    # ... and the best rate is at least as good as the rate 1 from tabula rasa
    assert np.all(
        rosenblatt.generalization_error(alpha, noise)
        >= optimal_rate.generalization_error(alpha, noise) - 1e-12
    )


@pytest.mark.parametrize("rule", RULES)
def test_scalars_arrays_and_nan(rule):
    for question in (rule.overlap, rule.norm, rule.generalization_error):
        one = question(2.0)
        assert isinstance(one, float)
        table = question([[2.0, np.nan], [0.0, 7.0]])
        assert table.shape == (2, 2)
        assert table[0, 0] == pytest.approx(one, rel=1e-9)
        assert np.isnan(table[0, 1])
    # closed forms have the limit, flows are NaN there
    assert np.isnan(rule.overlap(np.inf)) == (rule in (rosenblatt, adatron, optimal))
    with pytest.raises(ValueError, match="alpha must be at least 0, but -1 was given"):
        rule.overlap(-1.0)
    with pytest.raises(ValueError, match=r"must be in \[0, 1/2\), not 0.5"):
        rule.overlap(1.0, 0.5)


def test_nonsense_parameters():
    for rule in (adatron, lms):
        with pytest.raises(ValueError, match="eta must be a positive number, not 0"):
            rule.overlap(1.0, eta=0)
    with pytest.raises(ValueError, match="c must be at least 0"):
        rosenblatt.overlap(1.0, c=-1.0)
    with pytest.raises(ValueError, match="epsilon_g must be in"):
        optimal_rate.examples_needed(0.0)


def test_hebb_is_the_batch_rule():
    alpha = np.array([0.5, 1, 2, 5])
    assert hebb.generalization_error(alpha) == pytest.approx(
        [0.336493, 0.285634, 0.230823, 0.162614], abs=5e-7
    )


def test_constants_of_the_reference():
    assert hebb.asymptotic_constant() == pytest.approx(0.398942, abs=5e-7)
    assert rosenblatt.asymptotic_constant() == pytest.approx(0.278069, abs=5e-7)
    assert rosenblatt.asymptotic_constant() == pytest.approx((2 / 3) ** (1 / 3) / np.pi, rel=1e-12)
    assert rosenblatt.asymptotic_norm_constant() == pytest.approx(0.456675, abs=5e-7)
    assert adatron.asymptotic_constant(1.0) == 1.5
    assert adatron.asymptotic_constant(adatron.best_rate()) == pytest.approx(4 / 3)
    assert np.isnan(adatron.asymptotic_constant(3.0))
    assert optimal.asymptotic_constant() == pytest.approx(0.883400, abs=5e-7)
    assert optimal_rate.asymptotic_constant() == pytest.approx(1.273, abs=5e-4)


@pytest.mark.parametrize(
    ("rule", "power", "parameters"),
    [
        (hebb, 1 / 2, {"noise": 0.2}),
        (rosenblatt, 1 / 3, {}),
        (rosenblatt, 1 / 3, {"c": 1.0}),
        (rosenblatt, 1 / 3, {"c": 10.0}),
        (adatron, 1, {"eta": 1.0}),
        (adatron, 1, {"eta": 1.5}),
        (adatron, 1, {"eta": 2.5}),
        (optimal, 1, {"noise": 0.0}),
        (optimal, 1, {"noise": 0.1}),
        (optimal_rate, 1, {"noise": 0.0}),
        (optimal_rate, 1 / 2, {"noise": 0.1}),
    ],
)
def test_the_curves_end_in_their_constants(rule, power, parameters):
    epsilon = rule.generalization_error(1e6, **parameters) * 1e6**power
    assert epsilon == pytest.approx(
        rule.asymptotic_constant(**parameters), rel=3e-3 if power == 0.5 else 3e-4
    )


def test_the_best_constant_rate_of_adatron():
    eta = np.linspace(0.2, 2.8, 131)
    assert eta[np.argmin([adatron.asymptotic_constant(e) for e in eta])] == pytest.approx(adatron.best_rate())


@pytest.mark.parametrize("noise", [0.05, 0.2])
def test_rosenblatt_stationary_state(noise):
    epsilon, l = rosenblatt.stationary_state(noise)
    assert epsilon == pytest.approx(np.arccos(1 - 2 * noise) / np.pi, rel=1e-12)
    for c in (0.0, 0.5, 3.0, 50.0):
        epsilon, l = rosenblatt.stationary_state(noise, c)
        assert rosenblatt.generalization_error(1e6, noise, c) == pytest.approx(epsilon, rel=1e-9)
        assert rosenblatt.norm(1e6, noise, c) == pytest.approx(l, rel=1e-9)
    assert rosenblatt.stationary_state(0.0) == (0.0, float("inf"))


def test_a_large_margin_makes_rosenblatt_hebb():
    assert rosenblatt.overlap([0.5, 2.0], c=1e3) == pytest.approx(hebb.overlap([0.5, 2.0]), rel=1e-9)


@pytest.mark.parametrize(("noise", "eta"), [(0.1, 1.0), (0.1, 0.2), (0.0, 4.0), (0.02, 2.5)])
def test_adatron_stationary_error(noise, eta):
    assert adatron.generalization_error(1e5, noise, eta) == pytest.approx(
        adatron.stationary_error(noise, eta), rel=1e-9
    )
    assert adatron.stationary_error(0.0, 2.9) == 0


def test_adatron_with_noise_needs_a_small_rate():
    errors = [adatron.stationary_error(0.1, eta) for eta in (0.01, 0.1, 1.0)]
    assert errors == sorted(errors)
    # theta^3 -> pi eta lambda/(2 (1 - 2 lambda))
    limit = (np.pi * 1e-6 * 0.1 / (2 * 0.8)) ** (1 / 3) / np.pi
    assert adatron.stationary_error(0.1, 1e-6) == pytest.approx(limit, rel=1e-2)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_lms_stationary_state(noise):
    c2 = 2 / np.pi * (1 - 2 * noise) ** 2
    for eta in (0.1, 1.0, 1.9):
        Q = (2 * c2 + eta * (1 - 2 * c2)) / (2 - eta)
        assert lms.stationary_norm(noise, eta) ** 2 == pytest.approx(Q, rel=1e-12)
        assert lms.stationary_error(noise, eta) == pytest.approx(
            np.arccos(np.sqrt(c2 / Q)) / np.pi, rel=1e-12
        )
        assert lms.generalization_error(1e4, noise, eta) == pytest.approx(
            lms.stationary_error(noise, eta), rel=1e-9
        )
    assert np.isnan(lms.stationary_error(noise, 2.0))
    assert lms.generalization_error(1e4, noise, 2.5) == 0.5  # |w| has outgrown every float


def test_the_best_rate_in_closed_form():
    assert optimal_rate.generalization_error(2.0) == pytest.approx(0.25, rel=1e-14)
    alpha = np.logspace(-20, 8, 57)
    for noise in (0.0, 1e-4, 0.3):
        epsilon = optimal_rate.generalization_error(alpha, noise)
        inside = epsilon < 0.49  # beyond that epsilon does not resolve R
        assert optimal_rate.examples_needed(epsilon[inside], noise) == pytest.approx(alpha[inside], rel=1e-11)
    assert optimal_rate.overlap(1e-20) == pytest.approx(np.sqrt(1e-20 / np.pi), rel=1e-9)


def test_the_optimal_modulation():
    with mp.workdps(25):
        for t in (-1e3, -30, -2, 0, 3):
            exact = mp.npdf(t) / mp.ncdf(t)
            assert optimal.modulation(t, np.pi / 4) == pytest.approx(float(exact), rel=1e-11)
            exact = mp.mpf("0.8") * mp.npdf(t) / (mp.mpf("0.1") + mp.mpf("0.8") * mp.ncdf(t))
            assert optimal.modulation(t, np.pi / 4, noise=0.1) == pytest.approx(
                float(exact), rel=1e-11, abs=1e-300
            )
