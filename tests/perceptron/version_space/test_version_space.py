"""Version space: students, centre, volume, informative examples."""

import itertools
import math

import numpy as np
import pytest
from scipy import sparse

from markone.data import random_dichotomy, teacher_examples
from markone.perceptron.theory import bayes, gibbs, volume
from markone.perceptron.theory.capacity import count
from markone.perceptron.version_space import VersionSpace
from markone.perceptron.version_space.sampled_space import effective_chain_size


def arc(directions):
    """The fraction of the circle within a right angle of all directions."""
    grid = (np.arange(200_000) + 0.5) * 2 * math.pi / 200_000
    inside = np.all(np.cos(grid[:, None] - np.asarray(directions)) > 0, axis=1)
    return inside.mean()


def solid_angle(n):
    """The fraction of the sphere with n_k . w > 0 for three unit vectors: Girard's theorem."""
    angles = [math.acos(-n[i] @ n[j]) for i, j in itertools.combinations(range(3), 2)]
    return (sum(angles) - math.pi) / (4 * math.pi)


def test_all_students_agree_with_all_examples_and_the_halves_are_two_chains():
    xi, S, _ = teacher_examples(200, 50, seed=0)
    sample = VersionSpace(xi, S).sample(101, seed=3)
    assert sample.students.shape == (102, 50)
    assert np.min(sample.students @ (xi * S[:, None]).T) > -1e-13
    np.testing.assert_allclose(np.linalg.norm(sample.students, axis=1), 1)
    assert not np.allclose(sample.halves[0], sample.halves[1])
    assert sample.cut == 0
    assert sample.hits > 1000
    again = VersionSpace(xi, S).sample(101, seed=3)
    np.testing.assert_array_equal(sample.students, again.students)
    assert np.any(sample.students != VersionSpace(xi, S).sample(101, seed=4).students)


def test_the_overlap_has_no_bias_where_the_length_of_the_centre_has_one():
    # An octant of the sphere: q = |<w>|^2 = 3/4.
    space = VersionSpace(np.eye(3), np.ones(3))
    small = [space.sample(10, seed=k) for k in range(400)]
    q = np.array([s.overlap for s in small])
    naive = np.array([s.centre @ s.centre for s in small])
    error = q.std() / 20
    assert abs(q.mean() - 0.75) < 3 * error
    assert naive.mean() - 0.75 > 0.01 > 3 * error
    many = space.sample(20_000, seed=1)
    np.testing.assert_allclose(many.centre, 0.5, atol=0.01)
    assert many.centre_overlap == pytest.approx(math.sqrt(0.75), abs=0.005)


def test_expected_errors_are_those_of_a_teacher_drawn_from_version_space():
    xi, S, _ = teacher_examples(150, 30, seed=2)
    space = VersionSpace(xi, S)
    sample, teachers = space.sample(400, seed=1), space.sample(2000, seed=2).students

    def angles(w):
        return np.arccos(teachers @ w / np.linalg.norm(w)) / math.pi

    assert sample.bayes_error == pytest.approx(angles(sample.centre).mean(), abs=0.002)
    assert sample.gibbs_error == pytest.approx(
        np.mean([angles(w).mean() for w in sample.students]), abs=0.002
    )
    assert sample.bayes_error < sample.gibbs_error
    assert sample.centre_overlap == pytest.approx(
        np.mean(teachers @ sample.centre) / np.linalg.norm(sample.centre), abs=0.002
    )


def test_the_effective_size_of_known_chains():
    rng = np.random.default_rng(0)
    white = rng.standard_normal((20_000, 3))
    assert effective_chain_size(white) == pytest.approx(20_000, rel=0.1)
    walk = np.zeros((20_000, 3))
    for t in range(1, 20_000):
        walk[t] = 0.8 * walk[t - 1] + rng.standard_normal(3)
    # (1 - 0.8)/(1 + 0.8)
    assert effective_chain_size(walk) == pytest.approx(20_000 / 9, rel=0.2)
    assert effective_chain_size(np.ones((10, 2))) == 10


def test_one_or_two_quarter_turns_forget_the_start():
    xi, S, _ = teacher_examples(300, 60, seed=1)
    assert VersionSpace(xi, S).sample(1000, seed=0).effective_size > 500


@pytest.mark.parametrize(("alpha", "noise"), [(1.0, 0.0), (4.0, 0.0), (3.0, 0.1)])
def test_students_and_centre_have_the_errors_of_the_theory(alpha, noise):
    N, errors = 60, []
    for seed in range(12):
        xi, S, w_star = teacher_examples(round(alpha * N), N, noise, seed)
        sample = VersionSpace(xi, S, noise=noise).sample(150, seed=seed)
        R = sample.students @ w_star / math.sqrt(N)
        centre = sample.centre @ w_star / math.sqrt(N * sample.overlap)
        errors.append((np.mean(np.arccos(R)) / math.pi, math.acos(centre) / math.pi))
    limit = [f.generalization_error(alpha, noise) for f in (gibbs, bayes)]
    error = np.std(errors, axis=0, ddof=1) / math.sqrt(12)
    # The 1/N term: coefficients below 0.3 (measured by the experiment version_space).
    assert np.all(np.abs(np.mean(errors, axis=0) - limit) < 3.5 * error + 0.3 / N)


def test_volumes_in_two_and_three_dimensions_are_angles():
    directions = [0.3, 1.2, 2.0]
    xi = np.column_stack([np.cos(directions), np.sin(directions)])
    found = VersionSpace(xi, np.ones(3)).log_volume(2000, seed=1)
    assert abs(found.log - math.log(arc(directions))) < 3.5 * found.error < 0.2
    rng = np.random.default_rng(1)
    n = rng.standard_normal((3, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    found = VersionSpace(n, np.ones(3)).log_volume(2000, seed=2)
    assert abs(found.log - math.log(solid_angle(n))) < 3.5 * found.error < 0.2


def test_the_volume_shrinks_example_by_example():
    space = VersionSpace(np.vstack([np.eye(3), np.ones((1, 3))]), np.ones(4))
    log = space.shrink(4000, seed=1)
    # Each of the first three halves what is left; the fourth is implied by them.
    np.testing.assert_allclose(log[:4], np.arange(4) * -math.log(2), atol=0.1)
    assert log[4] == log[3]


def test_both_measures_of_the_volume_agree():
    xi, S, _ = teacher_examples(100, 25, seed=3)
    space = VersionSpace(xi, S)
    whole, steps = space.log_volume(500, seed=1), [space.shrink(300, seed=k)[-1] for k in range(4)]
    assert abs(whole.log - np.mean(steps)) < 3.5 * math.hypot(whole.error, np.std(steps) / 2)
    assert whole.log / 25 == pytest.approx(volume.log_volume(4.0), abs=0.25)


def test_the_evidence_at_a_noise_is_a_sum_over_all_students():
    rng = np.random.default_rng(0)
    xi = rng.standard_normal((7, 3))
    S = np.where(rng.random(7) < 0.5, 1.0, -1.0)
    w = rng.standard_normal((200_000, 3))
    k = np.sum(w @ (xi * S[:, None]).T < 0, axis=1)
    exact = math.log(np.mean(0.2**k * 0.8 ** (7 - k)))
    found = VersionSpace(xi, S, noise=0.2).log_volume(2000, seed=1)
    assert found.log == pytest.approx(exact, abs=3.5 * found.error + 0.005)
    assert found.levels.shape == (16, 3)


@pytest.mark.slow
def test_the_mean_of_one_over_the_volume_counts_the_cells():
    """A random teacher falls into a cell with the probability of its volume: <1/V> = C(P, N) (Cover)."""
    xi = np.random.default_rng(0).standard_normal((7, 3))
    values = []
    for seed in range(250):
        w = np.random.default_rng([1, seed]).standard_normal(3)
        found = VersionSpace(xi, np.where(xi @ w >= 0, 1.0, -1.0)).log_volume(600, seed=seed)
        # e^x of a number with a normal error is too large by e^(error^2/2).
        values.append(math.exp(-found.log - 0.5 * found.error**2))
    assert np.mean(values) == pytest.approx(count(7, 3), abs=4 * np.std(values) / math.sqrt(250))


def test_informative_examples_cut_version_space():
    space = VersionSpace(np.eye(2), np.ones(2))
    diagonal, outside, edge = space.cut([[1.0, -1.0], [1.0, 1.0], [3.0, -0.001]], seed=0)
    assert diagonal.informative
    assert diagonal.share == pytest.approx(0.5, abs=0.12)
    assert diagonal.information == pytest.approx(math.log(2), abs=0.03)
    assert outside.informative is False
    assert outside.share == 1
    assert outside.information == 0
    # All sampled students answer +1; the proof finds that -1 is possible.
    assert edge.informative is True
    assert edge.share == 1


def test_with_noise_every_label_is_possible():
    assert VersionSpace(np.eye(2), np.ones(2), noise=0.1).cut([[1.0, 1.0]], seed=0)[0].informative is True


def test_sparse_examples_are_the_same():
    xi, S, _ = teacher_examples(40, 10, seed=1)
    dense, thin = VersionSpace(xi, S), VersionSpace(sparse.csr_array(xi), S)
    thin.start.w[:] = dense.start.w
    np.testing.assert_allclose(dense.sample(10, seed=0).students, thin.sample(10, seed=0).students, atol=1e-9)
    assert thin.cut(sparse.csr_array(xi[:2]), seed=0)[0].informative is False
    assert np.all(thin.sample(10, seed=0).votes(sparse.csr_array(xi)) == (S > 0))


def test_blank_examples_cut_nothing():
    xi, S, _ = teacher_examples(20, 5, seed=0)
    blank = np.vstack([xi, np.zeros((1, 5))])
    with pytest.raises(ValueError, match=r"1 example\(s\) are all zero .* empty: set noise > 0"):
        VersionSpace(blank, np.append(S, 1.0)).sample(4)
    assert VersionSpace(blank, np.append(S, 1.0), noise=0.1).sample(4, seed=0).students.shape == (4, 5)


def test_bad_input_raises_with_a_message():
    xi, S = random_dichotomy(60, 5, seed=0)[:2]
    with pytest.raises(ValueError, match=r"separates the 60 examples; .* The version space is empty"):
        VersionSpace(xi, S).sample(10)
    with pytest.raises(ValueError, match="The version space is empty"):
        VersionSpace(xi, S).shrink()
    with pytest.raises(ValueError, match=r"one label \+1 or -1 for each of the 60 examples"):
        VersionSpace(xi, S * 2)
    with pytest.raises(ValueError, match="noise is the probability of a flipped label"):
        VersionSpace(xi, S, noise=0.5)
    with pytest.raises(ValueError, match="without noise only"):
        VersionSpace(xi, S, noise=0.1).shrink()
    with pytest.raises(ValueError, match="have 2 inputs, but version space is made of 5"):
        VersionSpace(xi, S, noise=0.1).cut([[1.0, 2.0]])
    with pytest.raises(ValueError, match="n must be a whole number, at least 2"):
        VersionSpace(xi, S, noise=0.1).sample(1)
