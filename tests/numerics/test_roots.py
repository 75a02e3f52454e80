import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from markone.numerics import roots
from markone.numerics.roots import find_roots, widen_bracket


def test_many_roots_at_once_agree_with_brentq():
    a = np.geomspace(1e-6, 1e6, 50)
    found = find_roots(lambda x, a: x**3 + x - a, 0.0, 1 + a, (a,))
    one_by_one = [brentq(lambda x, b=b: x**3 + x - b, 0, 1 + b, xtol=1e-300, rtol=1e-15) for b in a]
    np.testing.assert_allclose(found.x, one_by_one, rtol=1e-14)
    assert (found.status == roots.FOUND).all()


def test_shapes_broadcast_and_scalars_work():
    x = find_roots(lambda x, a, b: a * x - b, -10.0, 10.0, (np.array([[1.0], [2.0]]), np.array([1.0, 3.0]))).x
    np.testing.assert_allclose(x, [[1, 3], [0.5, 1.5]], rtol=1e-14)
    assert find_roots(np.cos, 0.0, 3.0).x == pytest.approx(np.pi / 2, rel=1e-15)
    assert find_roots(np.cos, np.empty(0), np.empty(0)).x.shape == (0,)


def test_no_bracket_is_nan_with_a_status():
    found = find_roots(lambda x, a: x * x + a, 0.0, 2.0, (np.array([1.0, -1.0, np.nan]),))
    assert list(found.status) == [roots.NO_BRACKET, roots.FOUND, roots.NOT_A_NUMBER]
    assert np.isnan(found.x[[0, 2]]).all()


def test_a_function_that_turns_nan_inside_ends_with_that_reason():
    found = find_roots(lambda x: np.where(np.abs(x) < 0.9, np.nan, x), -1.0, 1.2)
    assert found.status == roots.NOT_A_NUMBER
    assert np.isnan(found.x)


def test_steps_are_counted():
    found = find_roots(lambda x: np.where(x < 1 / 3, -1.0, 1.0), 0.0, 1.0, rtol=0.0, atol=0.0, steps=20)
    assert found.status == roots.TOO_MANY_STEPS


def test_a_jump_is_found_by_bisection():
    found = find_roots(lambda x: np.where(x < 1 / 3, -1.0, 1.0), 0.0, 1.0)
    assert found.x == pytest.approx(1 / 3, rel=1e-15)


def test_roots_at_the_ends_and_at_zero():
    assert find_roots(lambda x: x, 0.0, 5.0).x == 0
    assert find_roots(lambda x: x - 5, 0.0, 5.0).x == 5
    assert find_roots(lambda x: x**3, -1.0, 2.0).x == pytest.approx(0, abs=1e-6)


def test_finished_elements_are_not_evaluated_again():
    sizes = []

    def f(x, a):
        sizes.append(x.size)
        return np.where(a > 0, np.exp(x) - a, x)

    find_roots(f, np.full(4, -50.0), np.full(4, 50.0), (np.array([3.0, 0.0, 0.0, 0.0]),))
    assert sizes[0] == 4
    assert sizes[-1] == 1


def test_widen_stops_at_the_first_sign_change_or_gives_up():
    high = widen_bracket(lambda x, a: x - a, 0.0, 1.0, (np.array([0.5, 30.0]),))
    assert list(high) == [1, 32]
    assert widen_bracket(lambda x: -np.ones_like(x), 0.0, 1.0, times=5) == 32


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_any_monotone_cubic_is_solved(root, slope):
    found = find_roots(lambda x: (x - root) * (1 + slope * (x - root) ** 2), -2e3, 3e3)
    assert found.x == pytest.approx(root, rel=1e-13, abs=1e-13)
