import mpmath as mp
import numpy as np
import pytest

from markone.numerics import gaussian as g

POINTS = [-30.0, -12.0, -5.0, -3.0001, -3.0, -2.9, -1.0, -1e-8, 0.0, 0.3, 2.0, 9.0, 30.0]


def exact(f, x, digits=60):
    with mp.workdps(digits):
        return f(mp.mpf(x))


@pytest.mark.parametrize("x", POINTS)
def test_functions_agree_with_sixty_digits(x):
    claims = {
        g.phi: mp.npdf,
        g.Phi: mp.ncdf,
        g.H: lambda t: mp.ncdf(-t),
        g.mills_ratio: lambda t: mp.ncdf(-t) / mp.npdf(t),
        g.G: lambda t: t * mp.ncdf(t) + mp.npdf(t),
        g.G2: lambda t: (1 + t * t) * mp.ncdf(t) + t * mp.npdf(t),
    }
    for ours, theirs in claims.items():
        assert float(ours(x)) == pytest.approx(float(exact(theirs, x)), rel=3e-13), ours.__name__


def test_far_tails_stay_finite_or_go_to_their_limits():
    assert g.mills_ratio(1e6) == pytest.approx(1e-6, rel=1e-11)
    assert g.mills_ratio(-60.0) == np.inf
    np.testing.assert_array_equal(g.G([-np.inf, np.inf]), [0, np.inf])
    np.testing.assert_array_equal(g.G2([-np.inf, np.inf]), [0, np.inf])


def test_identities_of_G():
    k = np.linspace(-8, 8, 101)
    np.testing.assert_allclose(g.G(k) - g.G(-k), k, atol=1e-14)
    np.testing.assert_allclose(g.G2(k) + g.G2(-k), 1 + k * k, rtol=1e-14)
    h = 1e-5
    np.testing.assert_allclose((g.G(k + h) - g.G(k - h)) / (2 * h), g.Phi(k), atol=1e-9)
    np.testing.assert_allclose((g.G2(k + h) - g.G2(k - h)) / (2 * h), 2 * g.G(k), atol=1e-8)


def test_the_rule_for_the_normal_measure():
    t, weight = g.trapezoid_rule(80)
    for power, moment in ((0, 1), (1, 0), (2, 1), (4, 3), (6, 15)):
        assert weight @ t**power == pytest.approx(moment, abs=1e-11)
    assert weight @ np.cos(3 * t) == pytest.approx(np.exp(-4.5), abs=1e-12)


def test_rules_are_cached_and_cannot_be_spoiled():
    assert g.gauss_legendre(7)[0] is g.gauss_legendre(7)[0]
    with pytest.raises(ValueError, match="read-only"):
        g.gauss_legendre(7)[0][0] = 0.0


def test_panels_integrate_piecewise_and_ignore_empty_ones():
    edges = np.array([[0.0, 1.0, 1.0, 3.0], [-1.0, 0.0, 2.0, 2.0]])
    t, weight = g.panel_quadrature(edges, 12)
    assert weight[0] @ np.abs(t[0] - 1) ** 3 == pytest.approx(0.25 + 4, rel=1e-14)
    np.testing.assert_allclose((weight * t**5).sum(-1), [3**6 / 6, (2**6 - 1) / 6], rtol=1e-13)
    assert g.panel_quadrature(np.empty((0, 3)), 4)[0].shape == (0, 8)
