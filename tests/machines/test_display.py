"""Fig 4.3: what is drawn, and what cannot be drawn."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

from markone.data import random_dichotomy
from markone.lab.scenarios import find_scenario
from markone.machines import CommitteeMachine, MachineDisplay, ParityMachine
from markone.machines.display import MINUS, PLUS

WEIGHTS, THRESHOLDS = np.array([[1.0, 0.2], [-0.3, 1.0], [1.0, -1.0]]), np.array([0.1, -0.3, 0.4])


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def dotted(ax):
    return sum(
        ":" in str(style) or style[1] is not None for c in ax.collections for style in c.get_linestyle()
    )


def test_in_a_parity_machine_every_plane_separates_everywhere():
    committee = MachineDisplay.from_planes(WEIGHTS, THRESHOLDS, "committee")
    parity = MachineDisplay.from_planes(WEIGHTS, THRESHOLDS, "parity")
    assert dotted(committee.ax_) > 0
    assert dotted(parity.ax_) == 0
    assert len(committee.ax_.texts) == len(parity.ax_.texts) == 3  # an arrow for each plane


@pytest.mark.parametrize(
    "machine", [CommitteeMachine(random_state=0), ParityMachine(random_state=0)], ids=str
)
def test_the_regions_are_the_answers(machine):
    X, S, _ = random_dichotomy(8, 2, seed=3)
    display = MachineDisplay.from_estimator(machine.fit(X, S), X, S)
    display.figure_.set_dpi(200)
    display.figure_.canvas.draw()
    drawn = [line.get_xydata() for line in display.ax_.lines]
    assert [len(points) for points in drawn] == [np.sum(S > 0), np.sum(S < 0)]
    assert {mpl.colors.to_hex(c) for f in display.ax_.collections for c in f.get_facecolor()} >= {PLUS, MINUS}


def test_the_picture_of_the_lab_shows_both_machines():
    picture = find_scenario("machines").pictures["tessellation"]
    figure = plt.figure(figsize=picture.size)
    point = type("Point", (), {"parameters": {"K": 3}})
    picture.draw(figure, [point], 1)
    assert [ax.get_title() for ax in figure.axes] == ["committee machine, K = 3", "parity machine, K = 3"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((WEIGHTS, THRESHOLDS, "lottery"), "machine is 'lottery'"),
        ((WEIGHTS[:2], THRESHOLDS[:2], "committee"), "needs an odd number of units"),
        ((WEIGHTS.T, THRESHOLDS, "parity"), r"need weights \(K, 2\)"),
    ],
)
def test_planes_that_are_none(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        MachineDisplay.from_planes(*arguments)


def test_more_than_a_plane_cannot_be_drawn():
    X, S, _ = random_dichotomy(8, 4, seed=3)
    with pytest.raises(ValueError, match="two features and two classes, not 4 features"):
        MachineDisplay.from_estimator(CommitteeMachine(random_state=0).fit(X, S), X, S)
