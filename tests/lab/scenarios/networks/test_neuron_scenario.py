"""Noisy neurons against Siegert, small networks against a sampled error; blocks and pictures."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure
from pydantic import ValidationError
from scenario_twins import Stream, far, in_pieces, same
from scipy.special import erf

from markone.lab.scenarios.networks import neuron, small_networks

SCENARIO = neuron.SCENARIO


def plain_rate(p, seed, repeat):
    """V in exact steps of dt; (n - 1)/(last - first) spikes per ms."""
    steps = round(p["duration"] / p["dt"])
    stream, decay = Stream(seed, steps, 1, repeat), math.exp(-p["dt"] / 20.0)
    V, rest, times = 0.0, 0, []
    for k in range(steps):
        if rest > 0:
            rest -= 1
            continue
        V = p["current"] + (V - p["current"]) * decay + p["sigma"] * math.sqrt(1 - decay**2) * stream.normal()
        if V >= 1:
            times.append((k + 1) * p["dt"])
            V, rest = 0.0, round(2.0 / p["dt"])
    gaps = np.diff(times)
    return [1000 / gaps.mean(), gaps.std() / gaps.mean(), len(times)]


def test_equals_the_plain_reference():
    point = {"current": 1.1, "sigma": 0.3, "dt": 0.5, "duration": 2000.0}
    values = SCENARIO.run(point, 3, 5, 8)
    for k in range(3):
        found = [values[name][k] for name in ("rate", "variation", "spikes")]
        assert found == pytest.approx(plain_rate(point, 3, 5 + k))


@pytest.mark.parametrize("sigma", [0.0, 0.4])
def test_blocks_may_be_cut_anywhere(sigma):
    point = {"current": 1.3, "sigma": sigma, "duration": 300.0}
    whole = SCENARIO.run(point, 7, 0, 7)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 2, 3, 7]))
    assert set(whole) == set(SCENARIO.measures)
    assert SCENARIO.cost(point) > 0


def test_rates_meet_the_closed_form_and_siegert():
    for current, sigma in ((0.8, 0.5), (1.2, 0.2), (2.0, 0.4)):
        point = {"current": current, "sigma": sigma, "duration": 5000.0}
        assert far(SCENARIO.run(point, 2, 0, 60)["rate"], SCENARIO.theories["rate"].function(point)) < 4
    point = {"current": 1.5, "duration": 5000.0}
    values = SCENARIO.run(point, 2, 0, 2)
    assert values["rate"] == pytest.approx(SCENARIO.theories["rate"].function(point), rel=1e-9)
    assert values["rate"] == pytest.approx(SCENARIO.theories["without_noise"].function(point), rel=1e-9)
    assert values["variation"] == pytest.approx(0, abs=1e-5)
    assert SCENARIO.run({"current": 0.9, "duration": 500.0}, 2, 0, 1)["rate"] == 0


@pytest.mark.parametrize("name", ["spikes", "activations"])
def test_pictures_are_drawn(name):
    figure = Figure()
    SCENARIO.pictures[name].draw(figure, [SimpleNamespace(parameters={"current": 1.2})], 1)
    assert len(figure.axes) == {"spikes": 3, "activations": 2}[name]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"sigma": -1.0}, "greater than or equal to 0"),
        ({"duration": 1e12}, "choose between 1"),
        ({"sigma": 0.1, "dt": 0.3}, "no multiple of dt"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        neuron.Parameters.model_validate({"current": 1.0} | change)


def test_the_error_of_a_network_is_that_of_a_large_sample():
    rng = np.random.default_rng(0)
    w, B = rng.normal(size=(3, 6)), rng.normal(size=(2, 6)) / 2
    X = rng.normal(size=(200_000, 6))
    difference = erf(X @ w.T / math.sqrt(2)).sum(axis=1) - erf(X @ B.T / math.sqrt(2)).sum(axis=1)
    assert far(0.5 * difference**2, small_networks.committee_error(w, B)) < 4
    assert small_networks.committee_error(B[::-1], B) == pytest.approx(0, abs=1e-15)


def test_students_with_enough_units_learn_and_others_cannot():
    scenario = small_networks.SCENARIO
    point = {"N": 8, "alpha": 6.0, "K": 2}
    whole = scenario.run(point, 1, 0, 5)
    same(whole, in_pieces(scenario, point, 1, [0, 2, 5]))
    assert set(whole) == set(scenario.measures)
    assert np.median(whole["epsilon_g"]) < 1e-3
    assert scenario.run(point | {"K": 1}, 1, 0, 5)["epsilon_g"].min() > 0.02
    assert scenario.cost(point) > 0
    with pytest.raises(ValidationError, match="do not fit"):
        small_networks.Parameters.model_validate({"N": 2, "M": 3, "K": 1, "alpha": 1.0})
