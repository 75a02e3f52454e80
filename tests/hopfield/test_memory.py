"""The memory: stored patterns are recalled, with any two values, and bad input raises clear errors."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from markone.hopfield import Hopfield, couplings, ferromagnet, spin_glass

RULES = ["hebb", "pseudo_inverse", "optimal"]


def patterns(P, N, seed=0):
    return np.random.default_rng(seed).choice([-1, 1], (P, N))


def spoiled(xi, fraction, seed=1):
    return np.where(np.random.default_rng(seed).random(xi.shape) < fraction, -xi, xi)


@pytest.mark.parametrize("dynamics", ["sequential", "parallel"])
@pytest.mark.parametrize("rule", RULES)
def test_noisy_patterns_are_restored(rule, dynamics):
    xi = patterns(5, 200)
    memory = Hopfield(couplings=rule, dynamics=dynamics, random_state=0).fit(xi)
    assert np.array_equal(memory.predict(spoiled(xi, 0.2)), xi)
    recall = memory.recall(spoiled(xi, 0.2))
    assert recall.index.tolist() == [0, 1, 2, 3, 4]
    assert (recall.overlap == 1).all()
    assert set(recall.status) == {"fixed point"}
    assert (memory.stabilities() > 0).all()


@pytest.mark.parametrize("values", [(0, 1), (False, True), (-1.0, 1.0), (0, 255), (2.5, 7.5)])
def test_any_two_values_come_out_as_they_went_in(values):
    xi = patterns(3, 60)
    X = np.array(values)[(xi > 0).astype(int)]
    memory = Hopfield(random_state=0).fit(X)
    answer = memory.predict(np.array(values)[(spoiled(xi, 0.1) > 0).astype(int)])
    assert answer.dtype == X.dtype
    assert np.array_equal(answer, X)
    assert np.array_equal(memory.patterns_, xi)


def test_a_threshold_makes_two_values():
    xi = patterns(3, 60)
    X = xi + 0.3 * np.random.default_rng(0).uniform(-1, 1, xi.shape)
    assert np.array_equal(Hopfield(threshold=0.0, random_state=0).fit(X).predict(X), xi)


@pytest.mark.parametrize("rule", RULES)
def test_one_pattern_after_the_other_gives_the_same_couplings(rule):
    xi = patterns(8, 40)
    whole = Hopfield(couplings=rule).fit(xi)
    grown = Hopfield(couplings=rule)
    for start, stop in ((0, 2), (2, 3), (3, 8)):
        grown.partial_fit(xi[start:stop])
    assert np.array_equal(grown.patterns_, whole.patterns_)
    # Optimal stability is solved to a relative gap of 1e-6 at worst.
    assert grown.couplings_ == pytest.approx(whole.couplings_, abs=1e-10 if rule != "optimal" else 1e-5)


def test_each_stored_pattern_adds_its_outer_product():
    """(1.12), with the factor 1/N."""
    xi = patterns(3, 20)
    memory = Hopfield(self_coupling=True).fit(xi[:2])
    before = memory.couplings_
    memory.partial_fit(xi[2:])
    assert memory.couplings_ - before == pytest.approx(np.outer(xi[2], xi[2]) / 20)


def test_the_inverse_of_a_pattern_is_stored_too():
    xi = patterns(2, 101)
    assert np.array_equal(Hopfield(random_state=0).fit(xi).predict(-xi), -xi)


def test_a_trajectory_shows_the_way_down():
    xi = patterns(10, 200)
    memory = Hopfield(random_state=0).fit(xi)
    start = spoiled(xi[3], 0.25)
    way = memory.trajectory(start)
    assert np.array_equal(way.states[0], start)
    assert np.array_equal(way.states[-1], memory.predict(start[None])[0])
    assert (np.diff(way.energy) <= 0).all()
    assert way.overlaps[:, 3] == pytest.approx(way.states @ xi[3] / 200)
    assert way.overlaps[-1].argmax() == 3
    assert way.status == "fixed point"
    assert memory.energy(way.states) == pytest.approx(way.energy)
    assert memory.overlaps(way.states) == pytest.approx(way.overlaps)


def test_rows_do_not_depend_on_each_other():
    xi = patterns(30, 100)
    memory = Hopfield(random_state=4, temperature=0.5, max_iter=3).fit(xi)
    assert np.array_equal(memory.recall(xi).states[:1], memory.recall(xi[:1]).states)
    # The same start twice in a call, but two streams.
    assert not np.array_equal(*memory.recall(xi[[0, 0]]).states)


def test_correlated_images_need_more_than_hebb():
    """One digit of each class: Hebb mixes them up, the projection rule and AdaTron keep them apart."""
    X, y = load_digits(return_X_y=True)
    X = (X > 7).astype(int)[[np.flatnonzero(y == k)[0] for k in range(10)]]
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(X.shape) < 0.05, 1 - X, X)
    right = {
        rule: (Hopfield(couplings=rule, random_state=0).fit(X).recall(noisy).overlap == 1).mean()
        for rule in RULES
    }
    assert right["hebb"] == 0
    assert right["pseudo_inverse"] >= 0.9
    assert right["optimal"] >= 0.9


def test_a_warm_ferromagnet_has_the_magnetisation_of_mean_field_theory():
    """m = tanh(m/T), within 4 standard errors of 40 runs and a 1/N term of order one."""
    N, T, m = 400, 0.6, 0.9073
    assert m == pytest.approx(np.tanh(m / T), abs=1e-4)
    memory = Hopfield(couplings=ferromagnet(N), temperature=T, max_iter=40, random_state=0).fit()
    found = memory.recall(np.ones((40, N), dtype=int)).states.mean(axis=1)
    error = found.std(ddof=1) / np.sqrt(len(found))
    assert abs(found.mean() - m) < 4 * error + 2 / N


def test_a_spin_glass_comes_to_rest_above_its_ground_state():
    """Greedy minima of the SK model lie near H/N = -0.70, the ground state at -0.763."""
    memory = Hopfield(couplings=spin_glass(300, random_state=1), random_state=0).fit()
    recall = memory.recall(patterns(5, 300))
    assert set(recall.status) == {"fixed point"}
    assert (recall.index == -1).all()
    assert np.isnan(recall.overlap).all()
    H = memory.energy(recall.states) / 300
    assert (H > -0.80).all()
    assert (H < -0.60).all()


def test_what_does_not_come_to_rest_is_told():
    w = -(1 - np.eye(4))
    memory = Hopfield(couplings=w, dynamics="parallel").fit()
    with pytest.warns(ConvergenceWarning, match="1 of 1 ended with 'cycle of two'"):
        memory.predict(np.ones((1, 4)))
    # Cyclic couplings, not symmetric: the state walks round for ever.
    ring = np.roll(np.eye(5), 1, axis=0)
    ring[0] *= -1
    memory = Hopfield(couplings=ring, dynamics="parallel", max_iter=7).fit()
    with pytest.warns(ConvergenceWarning, match="ended with 'max_iter'"):
        memory.predict([[1, 1, -1, 1, -1]])


def test_given_couplings_keep_their_diagonal_if_asked():
    w = np.ones((3, 3))
    assert np.diag(Hopfield(couplings=w).fit().couplings_).tolist() == [0, 0, 0]
    assert np.diag(Hopfield(couplings=w, self_coupling=True).fit().couplings_).tolist() == [1, 1, 1]
    assert w[0, 0] == 1
    single = Hopfield(couplings=np.ones((3, 3), dtype=np.float32)).fit()
    assert single.couplings_.dtype == np.float32


@pytest.mark.parametrize(
    ("memory", "X", "sentence"),
    [
        (Hopfield(), [[0, 1, 2]], "X holds 3 values"),
        (Hopfield(), [[5, 5]], "Binarise X"),
        (Hopfield(couplings=np.ones((2, 3))), [[1, -1]], r"shape \(2, 3\)"),
        (Hopfield(couplings=np.ones((3, 3))), [[1, -1]], r"need \(2, 2\)"),
        (Hopfield(couplings=np.full((2, 2), np.nan)), [[1, -1]], "NaN or infinite"),
        (Hopfield(couplings=[["a", "b"], ["c", "d"]]), [[1, -1]], "must be a matrix of numbers"),
        (Hopfield(couplings="optimal", self_coupling=True), [[1, -1]], "recall nothing"),
        (Hopfield(rule="metropolis", temperature=1.0, dynamics="parallel"), [[1, -1]], "one at a time"),
        (Hopfield(rule="metropolis", temperature=1.0, self_coupling=True), [[1, -1]], "not part of dH"),
        (Hopfield(couplings="magic"), [[1, -1]], "The 'couplings' parameter"),
        (Hopfield(temperature=-1.0), [[1, -1]], "The 'temperature' parameter"),
        (Hopfield(), [[1, np.nan]], "contains NaN"),
    ],
)
def test_bad_input_is_told_in_sentences(memory, X, sentence):
    with pytest.raises(ValueError, match=sentence):
        memory.fit(X)


def test_other_values_later_are_told():
    memory = Hopfield().fit([[0, 1, 1]])
    with pytest.raises(ValueError, match="X holds -1, but the stored patterns have the values 0 and 1"):
        memory.predict([[-1, 1, 1]])
    with pytest.raises(ValueError, match="cannot learn"):
        Hopfield(couplings=np.eye(2)).fit().partial_fit([[1, -1]])
    with pytest.raises(NotFittedError, match="not fitted yet"):
        Hopfield().predict([[1, -1]])
    assert not hasattr(Hopfield(), "patterns_")
    assert Hopfield().fit([[1, 1]]).values_.tolist() == [-1, 1]
    assert Hopfield().fit([[0, 0]]).values_.tolist() == [0, 1]


def test_learned_couplings_are_those_of_the_functions():
    xi = patterns(4, 30)
    assert Hopfield().fit(xi).couplings_ == pytest.approx(couplings.hebb(xi))
    assert Hopfield(couplings="pseudo_inverse").fit(xi).couplings_ == pytest.approx(
        couplings.pseudo_inverse(xi)
    )
    assert clone(Hopfield(couplings=np.eye(3))).fit().couplings_.shape == (3, 3)


def test_fields_of_more_patterns_than_a_byte_counts():
    xi = patterns(200, 20)
    memory = Hopfield().fit(xi)
    np.testing.assert_allclose(memory.fields(xi[:3]), xi[:3] @ memory.couplings_, atol=1e-12)
