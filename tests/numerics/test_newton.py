import numpy as np

from markone.numerics.roots import FOUND, TOO_MANY_STEPS, newton_roots


def circle_and_line(x, r):
    return np.stack([x[0] ** 2 + x[1] ** 2 - r**2, x[0] - x[1]])


def test_many_systems_at_once_to_rounding():
    r = np.linspace(0.5, 3, 20)
    found = newton_roots(circle_and_line, np.ones((2, 20)), (r,))
    assert (found.status == FOUND).all()
    np.testing.assert_allclose(found.x, [r / np.sqrt(2)] * 2, rtol=1e-14)


def test_long_steps_are_shortened():
    # From x = 2 the full step of arctan leads away for ever.
    found = newton_roots(np.arctan, np.array([[2.0, -2.0, 20.0]]), largest=1e9)
    np.testing.assert_allclose(found.x, 0, atol=1e-14)


def test_no_root_ends_as_nan():
    found = newton_roots(lambda x: x**2 + 1, np.array([[0.7, 2.0]]))
    assert (found.status == TOO_MANY_STEPS).all()
    assert np.isnan(found.x).all()


def test_one_system_gone_astray_does_not_touch_the_others():
    start = np.array([[1.0, np.nan, 1.0], [1.0, 1.0, 2.0]])
    found = newton_roots(circle_and_line, start, (1.0,))
    np.testing.assert_allclose(found.x[:, [0, 2]], np.sqrt(0.5), rtol=1e-14)
    assert np.isnan(found.x[:, 1]).all()


def test_a_singular_start_is_given_up():
    assert newton_roots(lambda x: 0 * x + 1, np.zeros((1, 1))).status[0] == TOO_MANY_STEPS


def test_nothing_to_solve():
    assert newton_roots(circle_and_line, np.empty((2, 0)), (np.empty(0),)).x.shape == (2, 0)
