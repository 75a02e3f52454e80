"""A recall neuron by neuron: the same states as `trajectory`, each row one visit of (1.7)."""

import numpy as np
import pytest

from markone import Hopfield
from markone.show import animate, recall_history

PATTERNS = np.sign(np.random.default_rng(0).standard_normal((5, 100))).astype(int)
START = PATTERNS[0] * np.where(np.arange(100) < 25, -1, 1)
WAYS = [
    {},
    {"order": "random"},
    {"order": "cyclic", "couplings": "pseudo_inverse"},
    {"couplings": "optimal"},
    {"dynamics": "parallel"},
    {"temperature": 0.3, "max_iter": 5},
    {"temperature": 0.3, "max_iter": 5, "rule": "metropolis", "order": "random"},
]


@pytest.mark.parametrize("record", ["updates", "presentations"])
@pytest.mark.parametrize("options", WAYS, ids=str)
def test_it_ends_where_the_trajectory_ends(options, record):
    memory = Hopfield(random_state=3, **options).fit(PATTERNS)
    way, history = memory.trajectory(START), memory.steps(START, record)
    np.testing.assert_array_equal(history.states["cells"][-1], way.states[-1])
    np.testing.assert_array_equal(history.states["cells"][0], START)
    assert history.states["energy"][-1] == pytest.approx(way.energy[-1])
    assert history.settings["status"] == f"ends with: {way.status}"


@pytest.mark.parametrize("record", ["updates", "presentations"])
def test_each_row_is_one_neuron(record):
    memory = Hopfield(random_state=1).fit(PATTERNS)
    history = memory.steps(START, record)
    w, cells = memory.couplings_, history.states["cells"].astype(float)
    assert history.complete
    for k in range(1, len(history)):
        i, before = history["example"][k], cells[k - 1]
        h = w[i] @ before
        assert history["E"][k] == pytest.approx(before[i] * h)
        assert history["E_after"][k] == pytest.approx(cells[k][i] * h)
        assert cells[k][i] == (1 if h >= 0 else -1)
        assert history["change"][k] == cells[k][i] - before[i]
        np.testing.assert_array_equal(np.delete(cells[k], i), np.delete(before, i))
    assert (np.diff(history.states["energy"]) <= 1e-12).all()
    sweeps = len(memory.trajectory(START).states) - 1
    assert len(history) - 1 == (100 * sweeps if record == "presentations" else 25)


def test_a_film_of_it():
    memory = Hopfield(random_state=1).fit(PATTERNS)
    film = animate(recall_history(memory, START, record="updates")).film
    assert film["kind"] == "memory"
    assert len(film["frames"]) == 26
    with pytest.raises(ValueError, match="record is 'all': choose one of updates, presentations"):
        memory.steps(START, "all")
