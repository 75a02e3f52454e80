"""LMS and the perceptron rule on two classes in the plane."""

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import in_pieces, same

from markone.data._two_classes import fill_two_classes
from markone.lab.scenarios.plane.lms import KINDS, SCENARIO, Parameters
from markone.perceptron import separability


def data(kind, P, repeat, seed=6):
    X, S = np.empty((P, 3)), np.empty(P)
    fill_two_classes(seed, P, repeat, KINDS[kind], X, S)
    return X, S


def learned(X, S, rate, iterations, hard, per_epoch=True):
    w, n, updates = np.zeros(3), 0, 0
    for _ in range(iterations):
        before = updates
        for x, s in zip(X, S, strict=True):
            y = w @ x
            error = s - (np.where(y >= 0, 1.0, -1.0) if hard else y)
            w = w + rate(n) * error * x
            updates += error != 0
            n += not per_epoch
        n += per_epoch
        if hard and updates == before:
            break
    return w, updates


SCHEDULES = {
    "constant": lambda eta: lambda n: eta,
    "inverse": lambda eta: lambda n: eta / (n + 1),
    "search_then_converge": lambda eta: lambda n: eta / (1 + n / 10),
}


@pytest.mark.parametrize("unit", ["linear", "hard"])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("data_kind", KINDS)
def test_it_equals_the_rule_written_out(data_kind, schedule, unit):
    count = "sample" if data_kind == "arcs" else "epoch"
    point = {"data": data_kind, "P": 20, "unit": unit, "eta": 0.05, "schedule": schedule, "iterations": 7}
    values = SCENARIO.run(point | {"count": count}, 6, 0, 2)
    for k in range(2):
        X, S = data(data_kind, 20, k)
        w, updates = learned(X, S, SCHEDULES[schedule](0.05), 7, unit == "hard", count == "epoch")
        y = X @ w
        sign = np.where(y >= 0, 1.0, -1.0)
        least = np.mean((S - X @ np.linalg.lstsq(X, S, rcond=None)[0]) ** 2)
        assert values["mse"][k] == pytest.approx(np.mean((S - (sign if unit == "hard" else y)) ** 2))
        assert values["wiener_mse"][k] == pytest.approx(least)
        assert values["excess"][k] == pytest.approx(values["mse"][k] - least, abs=1e-12)
        assert values["errors"][k] == pytest.approx(np.mean(sign != S), rel=1e-15)
        assert values["updates"][k] == updates


@pytest.mark.parametrize("data_kind", KINDS)
def test_each_point_is_presented_until_it_is_classified_correctly(data_kind):
    point = {"data": data_kind, "P": 20, "unit": "hard", "eta": 0.05, "schedule": "constant", "iterations": 3}
    values = SCENARIO.run(point | {"order": "until_correct"}, 6, 0, 2)
    for k in range(2):
        X, S = data(data_kind, 20, k)
        w, updates = np.zeros(3), 0
        for x, s in [*zip(X, S, strict=True)] * 3:
            while (w @ x >= 0) != (s > 0):
                w = w + 0.05 * 2 * s * x
                updates += 1
        assert values["updates"][k] == updates
        assert values["errors"][k] == pytest.approx(np.mean((w @ X.T >= 0) != (S > 0)), rel=1e-15)


def test_until_correct_needs_a_hard_unit_and_a_constant_rate():
    with pytest.raises(ValidationError, match="set unit = 'hard' and schedule = 'constant'"):
        Parameters(data="halo", order="until_correct")


@pytest.mark.parametrize("data_kind", KINDS)
def test_two_kinds_have_a_separating_line_and_two_have_none(data_kind):
    X, S = data(data_kind, 400, 0)
    assert separability(X[:, 1:], S).separable == (data_kind in ("halo", "dense"))
    assert S.sum() == 0
    assert np.all(X[:, 0] == -1)
    assert np.all(np.abs(X) < 2.5)


@pytest.mark.parametrize(("kind", "least"), [("arcs", 0.3), ("rings", 0.05), ("dense", 0.15), ("halo", 1.5)])
def test_gap_between_the_classes_is_as_documented(kind, least):
    X, S = data(kind, 2000, 1)
    distance = np.linalg.norm(X[S > 0][:, None] - X[S < 0], axis=2).min()
    assert least < distance < 2 * least + 0.2


@pytest.mark.parametrize("data_kind", KINDS)
def test_wieners_minimum_of_many_points_is_the_formula(data_kind):
    point = {"data": data_kind, "P": 20_000, "iterations": 0}
    values = SCENARIO.run(point, 1, 0, 20)
    error = values["wiener_mse"].std(ddof=1) / np.sqrt(20)
    expected = SCENARIO.theories["wiener"].function(point)
    # Three fitted weights take 3/P of it away.
    assert abs(values["wiener_mse"].mean() - expected * (1 - 3 / 20_000)) < 4 * error + 1e-7
    assert np.all(values["mse"] == 1)


def test_discs_have_the_textbook_minimum():
    for kind, radius in [("halo", 0.5), ("dense", 1.3)]:
        square = 4 * 2 / (radius**2 / 4)
        assert SCENARIO.theories["wiener"].function({"data": kind}) == pytest.approx(4 / (4 + square))


def test_the_perceptron_rule_does_not_depend_on_the_rate():
    base = {"data": "rings", "unit": "hard", "schedule": "constant", "iterations": 9}
    # Powers of two: eta scales w exactly.
    same(*(SCENARIO.run(base | {"eta": eta}, 1, 0, 5) for eta in (1.0, 2.0**-7)))


def test_separable_classes_end_without_error():
    for kind in ("halo", "dense"):
        values = SCENARIO.run({"data": kind, "unit": "hard", "iterations": 1000, "eta": 1.0}, 1, 0, 20)
        assert np.all(values["errors"] == 0)
        assert np.all(values["mse"] == 0)


def test_units_of_the_rate():
    X, _ = data("dense", 50, 0, seed=1)
    base = {"data": "dense", "P": 50, "schedule": "constant", "iterations": 3}
    power = np.sum(X * X)
    for unit, size in [("sum", 2 / power), ("mean", 2 * 50 / power)]:
        relative = SCENARIO.run(base | {"eta": 0.1, "eta_unit": unit}, 1, 0, 1)
        absolute = SCENARIO.run(base | {"eta": 0.1 * size}, 1, 0, 1)
        assert relative["mse"][0] == pytest.approx(absolute["mse"][0], rel=1e-9)


def test_too_large_a_rate_diverges_to_infinity():
    base = {"data": "dense", "schedule": "constant", "iterations": 3000}
    wild = SCENARIO.run(base | {"eta": 3.0, "eta_unit": "mean"}, 1, 0, 3)
    assert np.all(np.isinf(wild["mse"]))
    assert np.all(np.isinf(wild["excess"]))
    calm = SCENARIO.run(base | {"eta": 1.0, "eta_unit": "sum"}, 1, 0, 3)
    assert np.all(calm["excess"] < 0.02)
    assert np.all(calm["excess"] >= 0)


def test_blocks_may_be_cut_anywhere():
    point = {"data": "arcs", "order": "shuffled", "iterations": 5}
    whole = SCENARIO.run(point, 7, 0, 9)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 2, 3, 9]))
    assert set(whole) == set(SCENARIO.measures)
    assert SCENARIO.cost(point) > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"data": "moons"}, "'halo', 'dense'"),
        ({"P": 3}, "greater than or equal to 4"),
        ({"schedule": "fast"}, "'constant', 'inverse'"),
        ({"eta": -1}, "greater than 0"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"data": "halo"} | change)
