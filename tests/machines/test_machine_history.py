"""Least action, update by update: the history is what happened, and the machine is the same with it."""

import numpy as np
import pytest

from markone import CommitteeMachine, ParityMachine
from markone.base.history import history_of_estimator
from markone.data import two_classes
from markone.show import animate

MACHINES = [
    CommitteeMachine(5, random_state=1, max_iter=60, n_restarts=1),
    CommitteeMachine(3, architecture="tree", groups=[[0], [1], [2]], random_state=1),
    ParityMachine(2, rule="least_action", random_state=0, max_iter=60, n_restarts=1),
]


@pytest.fixture(scope="module")
def examples():
    xi, S, _ = two_classes("arcs", 40, seed=2)
    return np.column_stack([xi, xi[:, 0] * xi[:, 1]]), S


@pytest.fixture(params=MACHINES, ids=["committee", "tree", "parity"])
def both(request, examples):
    import warnings

    from sklearn.base import clone

    with warnings.catch_warnings():
        # Sixty sweeps need not be enough.
        warnings.simplefilter("ignore")
        unrecorded = clone(request.param).fit(*examples)
        recorded = clone(request.param).set_params(record="updates").fit(*examples)
    return unrecorded, recorded


def test_recording_changes_nothing(both):
    unrecorded, recorded = both
    np.testing.assert_array_equal(recorded.weights_, unrecorded.weights_)
    np.testing.assert_array_equal(recorded.thresholds_, unrecorded.thresholds_)
    assert not hasattr(unrecorded, "history_")
    assert recorded.history_["updates"][-1] <= recorded.n_updates_


def test_each_update_is_rosenblatts_step_of_some_units(both, examples):
    """w^k += +-(xi, 1)/n for the units that learned, n their inputs and the clamped one; no other moves."""
    X, _ = examples
    history = both[1].history_
    W, theta = history.states["weights"], history.states["thresholds"]
    for row in range(1, min(len(history), 60)):
        x, moved = X[history["example"][row]], 0
        for k in range(W.shape[1]):
            sees = W[row, k] != 0
            n = sees.sum() + 1
            dw, dt = W[row, k] - W[row - 1, k], theta[row, k] - theta[row - 1, k]
            if dt != 0:
                moved += 1
                np.testing.assert_allclose(dw[sees], -dt * x[sees], rtol=1e-9, atol=1e-12)
                assert abs(dt) == pytest.approx(1 / n)
            else:
                assert not dw.any()
        assert moved == history["change"][row]


def test_strengths_before_and_after_are_those_of_the_weights(both, examples):
    X, S = examples
    history = both[1].history_
    for row in range(1, min(len(history), 40)):
        mu = history["example"][row]
        for at, name in ((row - 1, "E"), (row, "E_after")):
            h = history.states["weights"][at] @ X[mu] - history.states["thresholds"][at]
            if history.settings["machine"] == "committee":
                expected = np.median(S[mu] * h)
            else:
                expected = S[mu] * np.prod(np.where(h >= 0, 1, -1)) * np.abs(h).min()
            assert history[name][row] == pytest.approx(expected, abs=1e-12)


def test_a_machine_of_two_inputs_can_be_watched():
    xi, S, _ = two_classes("arcs", 30, seed=2)
    machine = CommitteeMachine(3, random_state=0, record="updates", n_restarts=5).fit(xi, S)
    film = animate(machine).film
    assert film["kind"] == "field"
    last = np.array([int(c) for c in film["frames"][-1]["cells"]])
    assert 0 < last.sum() < len(last)
    assert [s["name"] for s in film["series"]] == ["errors"]
    assert len(history_of_estimator(machine)) == len(machine.history_)


@pytest.mark.parametrize("rule", ["minover", "tiling"])
def test_what_has_no_single_updates_says_so(rule, examples):
    with pytest.raises(ValueError, match=rf"rule='least_action', not '{rule}'"):
        ParityMachine(rule=rule, record="updates").fit(*examples)
