"""The scenario `drift`: plain reference, arbitrary block boundaries, limit N -> infinity."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import Stream, far, in_pieces, same

from markone.lab.scenarios.online.drift import CHAINS, SCENARIO, Parameters
from markone.perceptron.theory.online import drift


def chi_square(stream, k):
    d = 0.5 * k - 1 / 3
    while True:
        x = stream.normal()
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(1 - stream.uniform()) < 0.5 * x * x + d * (1 - v + math.log(v)):
            return 2 * d * v


def walk(seed, N, P, repeat, delta, decay, eta):
    """AdaTron students in the plane of w and B; the teacher's step drawn in its own coordinates."""
    stream, rho, u = Stream(seed, N, P, repeat), 0.0, 1.0
    phi = math.acos(1 - delta / N)
    for _ in range(P):
        y, z = stream.normal(), stream.normal()
        S = 1.0 if y >= 0 else -1.0
        E = S * (rho * y + u * z)
        rho, u = (1 - decay / N) * rho, (1 - decay / N) * u
        if E < 0:
            step = -eta * E / N
            along = u + step * S * z
            rho, u = rho + step * S * y, math.sqrt(along**2 + step**2 * chi_square(stream, N - 2))
        z, rest = stream.normal(), chi_square(stream, N - 2)
        n = np.array([0.0, z, math.sqrt(rest)]) / math.sqrt(z * z + rest)
        w = np.array([rho, u, 0.0])
        B = np.array([math.cos(phi), 0.0, 0.0]) + math.sin(phi) * n
        rho = w @ B
        u = np.linalg.norm(w - rho * B)
    return rho, u


def test_equals_the_plain_reference():
    point = {"N": 9, "alpha": 3.0, "drift": 0.4, "decay": 0.2, "rule": "adatron", "eta": 0.7}
    values = SCENARIO.run(point, 3, 5, 9)
    for k in range(4):
        rho, u = walk(3, 9, 27, 5 + k, 0.4, 0.2, 0.7)
        assert values["Q"][k] == pytest.approx(rho**2 + u**2)
        assert values["epsilon_g"][k] == pytest.approx(math.atan2(u, rho) / math.pi)


@pytest.mark.parametrize("rule", CHAINS)
def test_blocks_may_be_cut_anywhere_and_the_means_meet_the_flow(rule):
    point = {"N": 400, "alpha": 4.0, "drift": 0.1, "noise": 0.1, "decay": 0.3, "rule": rule}
    whole = SCENARIO.run(point, 7, 0, 150)
    same({k: v[:9] for k, v in whole.items()}, in_pieces(SCENARIO, point, 7, [0, 2, 3, 9]))
    for name in ("R", "epsilon_g", "Q"):
        expected = SCENARIO.theories[name].function(point)
        if name == "Q" and rule.startswith("optimal"):
            assert np.isnan(expected)
        else:
            assert far(whole[name], expected, (4 if name == "Q" else 1) * 2 / 400) < 4, name


def test_the_best_decay_is_hebbs():
    hebb = Parameters(N=50, alpha=1, drift=0.1, rule="hebb", decay="best")
    assert hebb.forgetting == pytest.approx(drift.best_hebb_decay(0.1))
    assert Parameters(N=50, alpha=1, drift=0.1, rule="adatron", decay="best").forgetting == 0
    stationary = SCENARIO.theories["stationary"].function
    assert stationary(hebb.model_dump()) == drift.stationary_error(0.1, "hebb", decay=hebb.forgetting)
    assert np.isnan(stationary(hebb.model_dump() | {"drift": 0.0}))
    assert SCENARIO.cost(hebb) > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"drift": -0.1}, "greater than or equal to 0"),
        ({"drift": 10.0}, "drift is 10: it must be at least 0 and below N = 10"),
        ({"decay": -1.0}, "decay is -1"),
        ({"rule": "newton"}, "'hebb', 'rosenblatt'"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "rule": "hebb", "drift": 0.1} | change)
