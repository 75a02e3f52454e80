"""Small problems in compiled calls: the same student as by the way of the large ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone.numerics._rows import squared_norms
from markone.perceptron.quadratic import problem as sizes
from markone.perceptron.quadratic._small import settle
from markone.perceptron.quadratic.gram import Gram
from markone.perceptron.quadratic.problem import Quadratic, State, judge
from markone.perceptron.quadratic.proximal import Proximal
from markone.perceptron.quadratic.solve import maximise


def teacher(P, N, flipped=0.0, seed=0):
    rng = np.random.default_rng(seed)
    xi = rng.standard_normal((P, N))
    S = np.sign(xi @ rng.standard_normal(N))
    S[rng.random(P) < flipped] *= -1
    return xi, S


def large_way(xi, S, gamma):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "SMALL", 0)
        return maximise(xi, S, gamma)


CASES = [
    (60, 20, 0.0, np.inf),
    (200, 40, 0.0, np.inf),
    (100, 60, 0.0, np.inf),
    (500, 30, 0.1, 0.01),
    (500, 30, 0.1, 1.0),
    (200, 40, 0.1, 100.0),
    (500, 30, 0.1, 1000.0),
    (1000, 5, 0.3, 10.0),
]


@pytest.mark.parametrize(("P", "N", "flipped", "C"), CASES)
def test_both_ways_lead_to_the_same_student(P, N, flipped, C):
    xi, S = teacher(P, N, flipped)
    assert Quadratic(xi, S, np.full(P, C * N)).small
    found, other = maximise(xi, S, C * N), large_way(xi, S, C * N)
    assert found.status == other.status == "exact"
    np.testing.assert_allclose(found.w, other.w, rtol=1e-8, atol=1e-9 * np.abs(other.w).max())
    assert found.gap <= 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 10**6), st.sampled_from([0.1, 3.0, 1e3]))
def test_integers_that_coincide_and_rows_of_zeros_are_solved_too(P, N, seed, C):
    rng = np.random.default_rng(seed)
    xi, S = rng.integers(-1, 2, (P, N)).astype(float), rng.choice([-1.0, 1.0], P)
    found, other = maximise(xi, S, C * N), large_way(xi, S, C * N)
    assert found.status == other.status == "exact"
    # x need not be unique where rows coincide; the weights are.
    np.testing.assert_allclose(found.w, other.w, atol=1e-8 * max(1.0, np.abs(other.w).max()))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 8), st.integers(0, 10**6))
def test_the_hard_margin_of_any_labels_ends_as_by_the_large_way(P, N, seed):
    rng = np.random.default_rng(seed)
    xi, S = rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)
    found, other = maximise(xi, S), large_way(xi, S, np.inf)
    assert found.status == other.status
    if found.status == "exact":
        assert found.upper == pytest.approx(other.upper, rel=1e-9)


def test_what_is_not_settled_keeps_to_the_box_and_says_how_far_it_came():
    xi, S = teacher(300, 20, 0.3)
    x, gamma = np.zeros(300), np.full(300, 20.0)
    newton, sweeps, residual = settle(xi, S, squared_norms(xi), gamma, x, False, 5, 40, 10)
    assert newton == 0
    assert 0 < sweeps <= 60
    assert np.all((x >= 0) & (x <= gamma))
    state = State(x, np.zeros(20), np.zeros(300))
    judge(Quadratic(xi, S, gamma), state)
    assert residual == pytest.approx(state.residual, rel=1e-9)


@pytest.mark.parametrize(("P", "N"), [(200, 10), (30, 25)])
def test_a_compiled_proximal_step_is_that_of_the_large_way(P, N):
    xi, S = teacher(P, N, 0.2)
    gamma = np.full(P, 2.0 * N)
    ends = []
    for size in (10**6, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sizes, "SMALL", size)
            problem = Quadratic(xi, S, gamma)
        state = State(np.full(P, 0.5), np.zeros(N), np.zeros(P))
        judge(problem, state)
        made = Proximal(problem, Gram(problem))._step(state)
        ends.append((made, state.x))
    assert ends[0][0] == ends[1][0] > 0
    np.testing.assert_allclose(ends[0][1], ends[1][1], atol=1e-9)
