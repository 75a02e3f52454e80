import mpmath as mp
import numpy as np
import pytest
from scipy.special import owens_t

from markone.numerics.gaussian import G, Phi, phi
from markone.perceptron.theory import adaline, bayes, gibbs, hebb, logistic, max_stability, rule, soft_margin
from markone.perceptron.theory import squared_hinge as squared

STUDENTS = [hebb, adaline, gibbs, bayes, max_stability, soft_margin, squared, logistic]


@pytest.mark.parametrize("student", STUDENTS)
def test_scalars_give_floats_and_arrays_keep_their_shape(student):
    one = student.generalization_error(1.5)
    assert type(one) is float
    grid = student.generalization_error(np.array([[0.5, 1.5], [1.5, 0.0]]), noise=0.05)
    assert grid.shape == (2, 2)
    assert grid[1, 1] == 0.5
    assert student.generalization_error([]).shape == (0,)
    np.testing.assert_allclose(student.generalization_error([1.5, 1.5], noise=[0.0, 0.05]), [one, grid[0, 1]])


@pytest.mark.parametrize("student", STUDENTS)
def test_error_and_overlap_belong_together(student):
    alpha = np.array([0.0, 0.01, 0.3, 0.9, 1.7, 2.5])
    for noise in (0.0, 0.1):
        R = student.overlap(alpha, noise)
        np.testing.assert_allclose(
            np.arccos(R) / np.pi, student.generalization_error(alpha, noise), atol=1e-13
        )
        assert R[0] == 0


@pytest.mark.parametrize("student", STUDENTS)
def test_nonsense_is_refused_in_a_sentence(student):
    with pytest.raises(ValueError, match=r"alpha is -0\.5"):
        student.overlap([1.0, -0.5])
    with pytest.raises(ValueError, match="alpha is inf"):
        student.generalization_error(np.inf)
    assert np.isnan(student.generalization_error(np.nan))
    with pytest.raises(ValueError, match=r"noise is 0\.5: the probability to flip"):
        student.generalization_error(1.0, noise=0.5)


@pytest.mark.parametrize("student", [soft_margin, squared, logistic])
def test_gamma_must_be_positive(student):
    with pytest.raises(ValueError, match=r"gamma is 0\.0: the weight of the errors must be positive"):
        student.overlap(1.0, gamma=0.0)


@pytest.mark.parametrize("student", [s for s in STUDENTS if s is not adaline])
def test_more_examples_never_hurt(student):
    for noise in (0.0, 0.2):
        top = 2.39 if student is max_stability and noise else 50
        assert (np.diff(student.generalization_error(np.geomspace(1e-3, top, 120), noise)) < 0).all()


@pytest.mark.parametrize("student", STUDENTS)
def test_bayes_is_the_best(student):
    alpha = np.geomspace(1e-3, 2.3, 40)
    for noise in (0.0, 0.2):
        best = bayes.generalization_error(alpha, noise)
        assert (student.generalization_error(alpha, noise) >= best * (1 - 1e-12)).all()


def test_table_of_known_values():
    alpha = [0.5, 1, 2, 5]
    table = {
        hebb: [0.336493, 0.285634, 0.230823, 0.162614],
        adaline: [0.339479, 0.5, 0.205952, 0.114968],
        gibbs: [0.409558, 0.338359, 0.240312, 0.118006],
        bayes: [0.322395, 0.254373, 0.174534, 0.083935],
        max_stability: [0.328850, 0.265711, 0.188479, 0.093827],
    }
    for student, values in table.items():
        np.testing.assert_allclose(student.generalization_error(alpha), values, atol=6e-7)


def test_noisy_error():
    assert rule.noisy_error(0.0, 0.1) == pytest.approx(0.1)
    assert rule.noisy_error(0.5, 0.3) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="noise is"):
        rule.noisy_error(0.1, -0.1)


def test_density_of_the_field_has_mass_one_and_mean_c_cos():
    t, theta = np.linspace(-12, 12, 4001), 0.7
    for noise in (0.0, 0.2):
        p = rule.field_density(t, theta, noise)
        assert np.trapezoid(p, t) == pytest.approx(1, rel=1e-12)
        assert np.trapezoid(p * t, t) == pytest.approx(
            rule.label_correlation(noise) * np.cos(theta), rel=1e-12
        )


def test_moments_agree_with_their_closed_forms():
    """int_(t<k) 2 phi(t) Phi(a t) dt = Phi(k) - 2 T(k, a) with Owen's T; the second moment by parts."""
    k = np.array([-1.5, -0.2, 0.0, 0.4, 1.0, 3.0])
    cot, noise = np.full_like(k, 1.3), np.full_like(k, 0.15)
    mass, second = rule.field_moments(np.full_like(k, -np.inf), k, cot, noise)
    root = np.hypot(1, cot)
    zeroth = Phi(k) - 2 * owens_t(k, cot)
    first = -2 * phi(k) * Phi(cot * k) + np.sqrt(2 / np.pi) * cot / root * Phi(k * root)
    square = -2 * k * phi(k) * Phi(cot * k) + zeroth - np.sqrt(2 / np.pi) * cot / root**2 * phi(k * root)
    clean = k * k * zeroth - 2 * k * first + square
    dirty = 2 * ((1 + k * k) * Phi(k) + k * phi(k))
    np.testing.assert_allclose(mass, 0.7 * zeroth + 0.15 * 2 * Phi(k), rtol=1e-12)
    np.testing.assert_allclose(second, 0.7 * clean + 0.15 * dirty, rtol=1e-12)


@pytest.mark.parametrize(
    ("low", "high", "cot"), [(-np.inf, -0.3, 30.0), (0.2, 0.9, 0.05), (-2.0, 5.0, 200.0)]
)
def test_moments_agree_with_twenty_five_digits(low, high, cot):
    with mp.workdps(25):

        def p(t):
            return 2 * mp.npdf(t) * (mp.mpf(1) / 8 + mp.mpf(3) / 4 * mp.ncdf(t * cot))

        edges = sorted({max(low, -20), *(e for e in (-0.3, -0.03, 0, 0.03, 0.3) if low < e < high), high})
        mass, second = mp.quad(p, edges), mp.quad(lambda t: p(t) * (high - t) ** 2, edges)
    ours = rule.field_moments(*(np.array([v]) for v in (low, high, cot, 0.125)))
    np.testing.assert_allclose(np.ravel(ours), [float(mass), float(second)], rtol=1e-12)


def test_small_tails_keep_their_relative_accuracy():
    with mp.workdps(25):
        exact = mp.quad(lambda t: 2 * mp.npdf(t) * mp.ncdf(3 * t), [-6, -4, -3, -2])
    assert rule.probability_below(*(np.array([v]) for v in (-2.0, 3.0, 0.0)))[0] == pytest.approx(
        float(exact), rel=1e-12
    )


def test_mean_of_the_raised_field():
    """int Dz (k - z s)_+ = s G(k/s): the integral that all (I) are made of."""
    z = np.linspace(-9, 9, 200001)
    k, s = 0.3, 0.6
    assert np.trapezoid(phi(z) * np.maximum(k - z * s, 0), z) == pytest.approx(float(s * G(k / s)), rel=1e-8)
