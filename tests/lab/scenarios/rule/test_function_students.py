"""Students that are functions (xi, S, rng) -> w: the block against its plain twin."""

import numpy as np
import pytest
from numba import njit

from markone.lab import stream
from markone.lab.scenario import iterate_streams
from markone.lab.scenarios.rule._examples import TEACHER, draw_labelled_examples, draw_rotated_examples
from markone.lab.scenarios.rule.estimator_students import _train_function_block
from markone.lab.scenarios.rule.teacher_student import SCENARIO
from markone.numerics._random import TRAINING

SEED, P, N = 5, 30, 12


def noisy_hebb(xi, S, rng):
    return S @ xi + rng.standard_normal(xi.shape[1])


def plain_repeat(repeat, noise):
    """One repeat in numpy, from the same data before their reflection and the same teacher."""
    xi, S, w_star = np.empty((P, N)), np.empty(P), np.empty(N)
    draw_rotated_examples(SEED, N, P, repeat, noise, xi, S, w_star)
    plain, labels = np.empty((P, N)), np.empty(P)
    draw_labelled_examples(SEED, N, P, repeat, TEACHER, noise, plain, labels)
    normal = w_star - N**-0.5
    normal /= np.linalg.norm(normal)
    reflected = plain - 2 * np.outer(plain @ normal, normal)
    assert np.allclose(xi, reflected, rtol=0, atol=1e-12)
    assert np.array_equal(S, labels)
    w = noisy_hebb(reflected, labels, stream(SEED, repeat, TRAINING))
    R = w @ w_star / np.linalg.norm(w)
    E = labels * (reflected @ w)
    return np.arccos(R) / np.pi, R, E.min() / np.linalg.norm(w), np.mean(E <= 0)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_block_is_the_plain_loop(noise):
    for learn in (noisy_hebb, njit(noisy_hebb)):
        found = _train_function_block(learn, SEED, 2, 9, P, N, noise)
        assert np.allclose(found[:, :4], [plain_repeat(k, noise) for k in range(2, 9)], rtol=1e-9)
        assert np.isnan(found[:, 4:]).all()
        assert (found[3:5, :4] == _train_function_block(learn, SEED, 5, 7, P, N, noise)[:, :4]).all()


def test_an_invariant_student_has_the_results_of_the_compiled_one():
    rows = _train_function_block(lambda xi, S, rng: S @ xi, SEED, 0, 50, P, N, 0.0)
    hebb = SCENARIO.run({"N": N, "alpha": P / N, "student": "hebb"}, SEED, 0, 50)
    assert np.allclose(rows[:, 0], hebb["epsilon_g"], rtol=1e-9)
    # Ones are right for half of the inputs only, since the teacher is random.
    ones = _train_function_block(lambda xi, S, rng: np.ones(N), SEED, 0, 400, P, N, 0.0)
    assert abs(ones[:, 0].mean() - 0.5) < 4 * ones[:, 0].std() / 20


def test_streams_of_a_block_are_those_of_its_repeats():
    draws = [(rng.random(), rng.integers(9), rng.standard_normal()) for rng in iterate_streams(3, 4, 9, 2)]
    again = [stream(3, k, 2) for k in range(4, 9)]
    assert draws == [(rng.random(), rng.integers(9), rng.standard_normal()) for rng in again]


def test_what_a_function_must_not_return():
    for wrong, words in ((np.ones(3), r"shape \(3,\) instead of 12"), (np.full(N, np.nan), "not finite")):
        with pytest.raises(ValueError, match=words):
            _train_function_block(lambda xi, S, rng, w=wrong: w, SEED, 0, 2, P, N, 0.0)
    zero = _train_function_block(lambda xi, S, rng: np.zeros(N), SEED, 0, 2, P, N, 0.0)
    assert (zero[:, :4] == [0.5, 0.0, 0.0, 1.0]).all()
