import numpy as np
import pytest

from markone.perceptron.theory import hebb


def test_one_example_is_a_random_direction_in_a_half_space():
    assert hebb.mean_error(1, 2) == pytest.approx(0.25, abs=1e-10)
    assert hebb.mean_error(1, 3) == pytest.approx(1 / np.pi, abs=1e-12)
    # A flipped label turns theta into pi - theta.
    assert hebb.mean_error(1, 2, noise=0.3) == pytest.approx(0.7 * 0.25 + 0.3 * 0.75, abs=1e-10)


def test_finite_law_approaches_the_limit_with_the_known_term():
    for alpha, noise in [(0.5, 0.0), (2.0, 0.0), (4.0, 0.1), (10.0, 0.3)]:
        N = np.array([200, 400, 800])
        left = N * (hebb.mean_error(alpha * N, N, noise) - hebb.generalization_error(alpha, noise))
        # Richardson: what is left of order 1/N is removed.
        extrapolated = 2 * left[1:] - left[:-1]
        assert extrapolated[1] == pytest.approx(hebb.finite_size_term(alpha, noise), abs=2e-5)


def test_term_at_alpha_four():
    assert hebb.finite_size_term(4.0) == pytest.approx(-0.112937, abs=5e-7)
    assert np.isnan(hebb.finite_size_term(0.0))


def test_finite_law_against_its_random_variables():
    rng = np.random.default_rng(3)
    P, N, noise, samples = 12, 6, 0.1, 400_000
    s = np.abs(rng.standard_normal((samples, P))) * np.where(rng.random((samples, P)) < noise, -1, 1)
    angle = np.arctan2(np.sqrt(P * rng.chisquare(N - 1, samples)), s.sum(1)) / np.pi
    exact = hebb.mean_error(P, N, noise)
    assert abs(angle.mean() - exact) < 4 * angle.std() / np.sqrt(samples)


def test_quadrature_of_the_finite_law_is_converged(monkeypatch):
    cases = [(1, 2, 0.0), (200, 2, 0.0), (50, 50, 0.2), (1000, 10, 0.0), (100_000, 1000, 0.0)]
    before = [hebb.mean_error(*case) for case in cases]
    monkeypatch.setattr(hebb, "NODES", 70)
    hebb._quadrature_weights.cache_clear()
    np.testing.assert_allclose([hebb.mean_error(*case) for case in cases], before, rtol=0, atol=3e-11)
    hebb._quadrature_weights.cache_clear()


def test_finite_law_over_arrays():
    P, N = np.array([[3, 8], [5, 8]]), np.array([4, 6])
    one_by_one = [
        [hebb.mean_error(3, 4), hebb.mean_error(8, 6)],
        [hebb.mean_error(5, 4), hebb.mean_error(8, 6)],
    ]
    np.testing.assert_allclose(hebb.mean_error(P, N), one_by_one, rtol=1e-14)


def test_finite_law_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match="N is 1"):
        hebb.mean_error(5, 1)
    with pytest.raises(ValueError, match=r"P is 2\.5"):
        hebb.mean_error(2.5, 3)
    with pytest.raises(ValueError, match="more than 100 N"):
        hebb.mean_error(1000, 3)


def test_asymptotics():
    for noise in (0.0, 0.2):
        large = hebb.generalization_error(1e12, noise) * 1e6
        assert large == pytest.approx(hebb.asymptotic_constant(noise), rel=1e-10)
    assert hebb.asymptotic_constant() == pytest.approx(0.398942, abs=5e-7)
