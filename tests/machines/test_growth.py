"""The parity machine as universal classifier: the theorem, tiling-like learning, early stopping."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from markone.data import random_dichotomy, teacher_examples
from markone.machines import CommitteeMachine, ParityMachine
from markone.machines.growth import (
    AnsweredExamples,
    GrowthOptions,
    _candidate_students,
    grandmother_unit,
    grow_machine,
    train_next_unit,
)
from markone.machines.units import Layer
from markone.perceptron import AdaTron, Hebb, Pocket, Rosenblatt

# Fast, and so poor that grandmothers have to help.
HEBB = Hebb()


def sign(z):
    return np.where(np.asarray(z) >= 0, 1, -1)


class Idle(Hebb):
    """A student that never helps."""

    def fit(self, X, y):
        super().fit(X, y)
        self.coef_, self.intercept_ = np.zeros_like(self.coef_), np.ones(1)
        return self


@st.composite
def labelled(draw, normalised):
    """Distinct vectors, as they come or of length one, with any labels of two classes."""
    P, N = draw(st.integers(2, 14)), draw(st.integers(1 + normalised, 4))
    number = st.integers(-40, 40).map(lambda k: k / 8)
    X = draw(arrays(float, (P, N), elements=number))
    if normalised:
        X[np.all(X == 0, axis=1)] = 1.0
        X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = np.unique(np.round(X, 9) if normalised else X, axis=0)
    if normalised:
        X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.array(draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X))))
    return X, y


@pytest.mark.parametrize("student", [HEBB, Idle(), Pocket(max_iter=20)], ids=["hebb", "idle", "pocket"])
@pytest.mark.parametrize("normalised", [True, False])
@settings(max_examples=60)
@given(data=st.data())
def test_any_labels_on_distinct_vectors_are_reproduced_with_at_most_p_units(student, normalised, data):
    X, y = data.draw(labelled(normalised))
    if len(np.unique(y)) < 2:
        return
    machine = ParityMachine(student=student, random_state=0).fit(X, y)
    np.testing.assert_array_equal(machine.predict(X), y)
    assert machine.converged_
    assert machine.n_units_ <= max(1, min(np.sum(~y), np.sum(y) + 1))
    assert np.all(np.diff(machine.growth_["errors"]) < 0)
    # A row gives the same answer alone as among others: no rounding decides.
    np.testing.assert_array_equal([machine.predict(row[None])[0] for row in X], y)


@settings(max_examples=40)
@given(data=st.data())
def test_on_normalised_vectors_all_units_are_perceptrons_as_in_4_15(data):
    X, y = data.draw(labelled(normalised=True))
    if len(np.unique(y)) < 2:
        return
    machine = ParityMachine(student=Idle(), random_state=0).fit(X, y)
    near = [np.partition(np.linalg.norm(X - x, axis=1), 1)[1] for x in X]
    if min(near) > 1e-3:
        assert np.isnan(machine.radii_).all()
        S = sign(X @ machine.weights_.T - machine.thresholds_).prod(axis=1)
        np.testing.assert_array_equal(S > 0, y)


def test_the_grandmother_of_the_notes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 5))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    wrong = np.arange(40) == 7
    unit = grandmother_unit(X, wrong)
    np.testing.assert_array_equal(unit.weights[0], -X[7])  # (4.13), Gamma = 1
    delta = unit.thresholds[0] + 1
    closest = np.max((X @ X[7])[~wrong])
    assert 0 < delta < 1 - closest  # (4.12), as it must be read
    np.testing.assert_array_equal(unit.hidden(X)[:, 0], np.where(wrong, -1, 1))


def test_on_vectors_of_any_length_it_is_a_perceptron_that_sees_the_square():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 3)) + 100  # far from the origin
    X[7] = X.mean(axis=0)  # no plane cuts it off
    wrong = np.arange(40) == 7
    unit = grandmother_unit(X, wrong)
    field = 0.5 * (X**2).sum(axis=1) + X @ unit.weights[0] - unit.thresholds[0]
    np.testing.assert_array_equal(sign(field), np.where(wrong, -1, 1))
    np.testing.assert_array_equal(unit.hidden(X)[:, 0], np.where(wrong, -1, 1))


def test_a_family_is_taken_at_once_and_no_right_example_with_it():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 2))
    wrong = np.linalg.norm(X, axis=1) < 0.5
    sigma = grandmother_unit(X, wrong).hidden(X)[:, 0]
    assert np.sum(sigma < 0) > 1
    assert np.all(sigma[~wrong] == 1)
    assert grandmother_unit(np.ones((2, 3)), np.array([True, False])) is None


def test_the_smallest_of_all_and_one_of_a_kind():
    X = np.array([[0.0], [1.0]])
    for y in ([0, 1], [1, 0]):
        assert ParityMachine().fit(X, y).n_units_ == 1
    # The centre of a ring: no plane helps, one grandmother does.
    angles = np.linspace(0, 2 * np.pi, 9)[:-1]
    ring = np.vstack([[[0.0, 0.0]], np.column_stack([np.cos(angles), np.sin(angles)])])
    machine = ParityMachine().fit(ring, np.arange(9) > 0)
    assert (machine.n_units_, machine.growth_["kind"][0]) == (1, "grandmother")
    np.testing.assert_allclose(machine.radii_, 0.5)


def test_xor_and_the_parity_of_bits():
    for n, most in ((2, 2), (3, 4), (4, 8), (5, 16)):
        X = np.array(list(product([-1.0, 1.0], repeat=n)))
        machine = ParityMachine(random_state=0).fit(X, X.prod(axis=1))
        assert machine.score(X, X.prod(axis=1)) == 1
        assert machine.n_units_ <= most
        # n units that each see one bit: the machine the notes' figure has in mind
        np.testing.assert_array_equal(sign(X).prod(axis=1), X.prod(axis=1))


def plain_tiling(X, S, student, seed):
    """(4.9) step by step: the number of errors after each unit."""
    rng, answer, errors = np.random.RandomState(seed), np.ones(len(S)), []
    while np.any(answer != S):
        labels = np.where(answer == S, 1, -1)
        one = clone(student).set_params(random_state=int(rng.randint(2**31 - 1))).fit(X, labels)
        answer = answer * one.predict(X)
        errors.append(int(np.sum(answer != S)))
    return errors


def test_growth_equals_the_plain_procedure():
    # The pocket finds better thresholds than any shift here, so that step III is the student's alone.
    X, S, _ = random_dichotomy(24, 10, seed=5)
    student = Pocket(max_iter=300)
    built = grow_machine(AnsweredExamples(X, S), None, GrowthOptions(student, None, 99, 1.0), seed=3)
    assert [row[1] for row in built.growth] == ["student"] * len(built.growth)
    assert [row[2] for row in built.growth] == plain_tiling(X, S, student, 3)


def test_each_unit_is_trained_where_the_machine_is_wrong():
    X, S, _ = random_dichotomy(60, 8, seed=0)
    machine = ParityMachine(random_state=1).fit(X, S)
    sigma = machine.hidden(X)
    assert sigma.shape == (60, machine.n_units_)
    assert set(np.unique(sigma)) == {-1, 1}
    errors = [np.sum(sigma[:, :m].prod(axis=1) != S) for m in range(1, machine.n_units_ + 1)]
    np.testing.assert_array_equal(errors, machine.growth_["errors"])
    assert machine.n_errors_ == errors[-1] == 0
    assert machine.n_units_ < 20


@pytest.mark.parametrize(
    "student", [AdaTron(C=1.0), Rosenblatt(max_iter=50), Pocket(max_iter=50), Hebb()], ids=str
)
def test_any_student_does_for_step_iii_and_keeps_quiet(student):
    X, S, _ = random_dichotomy(40, 6, seed=1)
    machine = ParityMachine(student=student, random_state=0).fit(X, S)
    assert machine.score(X, S) == 1


def test_a_student_without_weights_is_refused():
    X, S, _ = random_dichotomy(40, 6, seed=1)
    with pytest.raises(ValueError, match="KNeighborsClassifier has no weights in input space"):
        ParityMachine(student=KNeighborsClassifier()).fit(X, S)


def test_a_separable_set_needs_one_unit_of_optimal_stability():
    X, S, _ = random_dichotomy(20, 30, seed=0)
    machine, alone = ParityMachine(random_state=0).fit(X, S), AdaTron().fit(X, S)
    assert machine.n_units_ == 1
    assert machine.stability_ == pytest.approx(alone.stability_, rel=1e-6)
    np.testing.assert_allclose(machine.decision_function(X) > 0, alone.decision_function(X) > 0)


def test_contradictions_are_named():
    X, y = np.array([[0.0, 1], [2, 3], [4, 5], [2, 3], [0, 1]]), np.array(["no", "no", "yes", "yes", "no"])
    with pytest.raises(
        ValueError, match=r"Rows 1 and 3 of X are equal, but their labels are .*no.* and .*yes"
    ):
        ParityMachine().fit(X, y)
    machine = ParityMachine(n_units=5, random_state=0).fit(X, y)  # errors are accepted
    assert machine.n_errors_ == 1
    assert not machine.converged_


def test_nothing_but_contradictions_leaves_one_unit():
    machine = ParityMachine(n_units=3).fit([[0.0], [-0.0]], [0, 1])
    assert (machine.n_units_, machine.n_errors_) == (1, 1)
    with pytest.raises(ValueError, match="Rows 0 and 1 of X are equal"):
        ParityMachine().fit([[0.0], [-0.0]], [0, 1])


def test_growth_stops_where_it_is_told_to():
    X, S, _ = random_dichotomy(100, 5, seed=0)
    machine = ParityMachine(n_units=3, random_state=0).fit(X, S)
    assert machine.n_units_ == len(machine.growth_) == 3
    assert machine.n_errors_ == machine.growth_["errors"][-1] > 0


def test_early_stopping_keeps_the_units_that_do_best_on_examples_held_out():
    X, S, w_star = teacher_examples(200, 10, 0.2, 0)  # a fifth of the labels is wrong
    early = ParityMachine(validation_fraction=0.3, patience=4, random_state=0).fit(X, S)
    growth = early.growth_
    assert early.n_units_ == growth["unit"][np.argmin(growth["validation_errors"])]
    assert len(growth) <= early.n_units_ + 4
    full = ParityMachine(random_state=0).fit(X, S)
    test = np.random.default_rng(1).standard_normal((4000, 10))
    labels = sign(test @ w_star)
    assert full.score(X, S) == 1
    assert early.n_units_ < full.n_units_ / 3
    assert early.score(test, labels) > full.score(test, labels) + 0.05


def test_three_classes_may_need_different_numbers_of_units():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 3)), np.arange(60) % 3
    machine = ParityMachine(random_state=0).fit(X, y)
    assert machine.score(X, y) == 1
    assert [len(w) for w in machine.weights_] == list(machine.n_units_) == [len(g) for g in machine.growth_]
    assert [h.shape for h in machine.hidden(X)] == [(60, K) for K in machine.n_units_]


def test_an_example_on_a_plane_counts_as_plus_one():
    layer = Layer.of_perceptrons(np.array([[1.0], [1.0]]), np.array([0.0, 0.5]))
    machine = ParityMachine().fit([[0.0], [1.0]], [-1, 1])
    machine._layers = [layer]
    np.testing.assert_array_equal(machine.hidden([[0.0], [1.0]]), [[1, -1], [1, 1]])
    np.testing.assert_array_equal(machine.predict([[0.0], [1.0]]), [-1, 1])


def test_when_all_is_wrong_one_constant_unit_turns_it():
    part = AnsweredExamples(np.ones((3, 2)), -np.ones(3))
    kind, unit = train_next_unit(part, GrowthOptions(HEBB, None, 9, 1.0), 0)
    assert kind == "constant"
    assert np.all(unit.hidden(part.X) == -1)


def test_a_committee_of_one_is_a_perceptron():
    X, S, _ = random_dichotomy(20, 30, seed=0)
    machine = CommitteeMachine(1, random_state=0).fit(X, S)
    np.testing.assert_array_equal(sign(X @ machine.weights_[0] - machine.thresholds_), S)


def test_approximate_students_stop_at_a_duality_gap_of_a_thousandth():
    """A smaller gap would take longer and change stored results."""
    assert [student.tol for student in _candidate_students(10, 0, 1.0)[1:]] == [1e-3, 1e-3]
