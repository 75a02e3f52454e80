"""On-line students of the chain: named streams, the flow as the limit."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import Stream, far, in_pieces, same

from markone.lab.scenarios.online import online as scenario
from markone.lab.scenarios.online.online import CHAINS, SCENARIO, Parameters
from markone.perceptron.theory import online


def chi_square(stream, k):
    if k < 2:
        return sum(stream.normal() ** 2 for _ in range(k))
    d = 0.5 * k - 1 / 3
    while True:
        x = stream.normal()
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(1 - stream.uniform()) < 0.5 * x * x + d * (1 - v + math.log(v)):
            return 2 * d * v


def walk(seed, N, P, repeat, noise, f, u):
    """(rho, u) after P examples, the step f being a function of E."""
    stream, rho = Stream(seed, N, P, repeat), 0.0
    for _ in range(P):
        y, z = stream.normal(), stream.normal()
        S = 1.0 if y >= 0 else -1.0
        if noise > 0 and stream.uniform() < noise:
            S = -S
        step = f(S * (rho * y + u * z)) / N
        if step != 0:
            along = u + step * S * z
            rho, u = rho + step * S * y, math.sqrt(along**2 + step**2 * chi_square(stream, N - 2))
    return rho, u


RULES = {
    "hebb": (lambda E: 1.0, 0.0),
    "rosenblatt": (lambda E: 1.0 if E <= 0.3 else 0.0, 0.0),
    "adatron": (lambda E: -0.7 * E if E < 0 else 0.0, 1.0),
    "lms": (lambda E: 0.7 * (1 - E), 0.0),
}


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("rule", RULES)
def test_equals_the_plain_reference(rule, noise):
    point = {"N": 9, "alpha": 3.0, "noise": noise, "rule": rule, "eta": 0.7, "c": 0.3}
    values = SCENARIO.run(point, 3, 5, 9)
    for k in range(4):
        rho, u = walk(3, 9, 27, 5 + k, noise, *RULES[rule])
        assert values["Q"][k] == pytest.approx(rho**2 + u**2)
        assert values["R"][k] == pytest.approx(rho / math.hypot(rho, u))
        assert values["epsilon_g"][k] == pytest.approx(math.atan2(u, rho) / math.pi)


@pytest.mark.parametrize("rule", CHAINS)
def test_blocks_may_be_cut_anywhere(rule):
    point = {"N": 20, "alpha": 2.0, "noise": 0.1, "rule": rule}
    whole = SCENARIO.run(point, 7, 0, 9)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 2, 3, 9]))
    assert set(whole) == set(SCENARIO.measures)
    assert len(set(whole["R"])) == 9


def test_a_student_without_updates_guesses():
    values = SCENARIO.run({"N": 2, "alpha": 0.5, "rule": "rosenblatt"}, 1, 0, 10)
    assert np.all(values["Q"] > 0)
    values = SCENARIO.run({"N": 2, "alpha": 0.5, "rule": "optimal_rate"}, 1, 0, 10)
    assert np.all(values["epsilon_g"] <= 1)


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        ("hebb", {}),
        ("rosenblatt", {"c": 0.5}),
        ("adatron", {"eta": 1.5}),
        ("lms", {"eta": 0.5}),
        ("optimal", {}),
        ("optimal_rate", {}),
    ],
)
def test_the_means_meet_the_flow(rule, more):
    point = {"N": 1000, "alpha": 2.0, "noise": 0.1, "rule": rule} | more
    values = SCENARIO.run(point, 2, 0, 400)
    for name, theory in SCENARIO.theories.items():
        expected = theory.function(point)
        if name == "Q" and rule.startswith("optimal"):
            assert np.isnan(expected)
            continue
        # The 1/N term: coefficients of order one.
        assert far(values[name], expected, 2 / 1000) < 4, (name, values[name].mean(), expected)


def test_theories_are_those_of_the_rule():
    point = {"N": 10, "alpha": 3.0, "rule": "rosenblatt", "c": 0.2}
    exact = online.rosenblatt.generalization_error(3.0, 0.0, 0.2)
    assert SCENARIO.theories["epsilon_g"].function(point) == pytest.approx(exact, rel=1e-9)
    assert SCENARIO.theories["R"].function(point | {"rule": "hebb"}) == online.hebb.overlap(3.0)
    assert SCENARIO.cost(point) > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rule": "newton"}, "'hebb', 'rosenblatt'"),
        ({"noise": 0.5}, "less than 0.5"),
        ({"eta": 0}, "greater than 0"),
        ({"c": -0.1}, "greater than or equal to 0"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "rule": "hebb"} | change)


@pytest.mark.parametrize("rule", scenario.INTEGRATED)
@pytest.mark.parametrize(("noise", "eta", "c"), [(0.0, 1.0, 0.0), (0.1, 2.5, 0.7)])
def test_a_flow_integrated_once_is_the_flow_integrated_for_each_alpha(rule, noise, eta, c):
    given = {"rule": rule, "noise": noise, "eta": eta, "c": c, "N": 100}
    for alpha in (0.1, 0.37, 1.0, 7.3, 10.0, 99.0):
        alone = scenario._flow_at(alpha, scenario.Parameters(**given, alpha=alpha))
        for name, theory in scenario.SCENARIO.theories.items():
            value = theory.function(given | {"alpha": alpha})
            if not np.isnan(value):
                assert value == pytest.approx(float(getattr(alone, name)), rel=1e-9)


def test_a_flow_that_leaves_the_range_of_floats_is_still_followed():
    """With noise the AdaTron's w vanishes exponentially."""
    given = {"rule": "adatron", "noise": 0.3, "eta": 1.0, "c": 0.0, "N": 100, "alpha": 3e4}
    assert scenario.SCENARIO.theories["Q"].function(given) == 0.0
    assert 0.2 < scenario.SCENARIO.theories["epsilon_g"].function(given) < 0.5
