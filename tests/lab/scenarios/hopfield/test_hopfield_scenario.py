"""Random patterns and images in Hopfield networks: plain twins, blocks, theory within its error bars."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import TRAINING, Stream, far, in_pieces, same
from sklearn.datasets import load_digits

from markone.hopfield import couplings
from markone.lab.load import parse_declaration
from markone.lab.runner.worker import run_task
from markone.lab.scenarios.hopfield import hopfield_images
from markone.lab.scenarios.hopfield.hopfield import SCENARIO, Parameters
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.export import export_results
from markone.lab.store.results import Store

RULES = {
    "hebb": couplings.hebb,
    "pseudo_inverse": couplings.pseudo_inverse,
    "optimal": couplings.optimal_stability,
}


def patterns(seed, N, P, repeat):
    """64 bits at a time, neuron by neuron."""
    stream, xi = Stream(seed, N, P, repeat), np.empty((P, N))
    for i in range(N):
        for mu in range(P):
            if mu % 64 == 0:
                bits = stream.bits()
            xi[mu, i] = 1 if bits >> (mu % 64) & 1 else -1
    return xi


def start(stream, xi, m0):
    return np.array([x if stream.uniform() < 0.5 * (1 + m0) else -x for x in xi[0]])


def sign(h):
    return np.where(h >= -1e-12, 1.0, -1.0)


def sweep(w, S, stream, turn, T):
    for i in range(len(turn) - 1, 0, -1):
        j = ((stream.bits() >> 32) * (i + 1)) >> 32
        turn[i], turn[j] = turn[j], turn[i]
    for i in turn:
        h = w[i] @ S
        S[i] = sign(h) if T == 0 else (1 if stream.uniform() * (1 + math.exp(-2 * h / T)) < 1 else -1)


def plain_run(point, seed, repeat):
    """first, second, overlap, energy, sweeps_done, fixed as the scenario should have them."""
    p = Parameters.model_validate(point)
    xi = patterns(seed, p.N, p.P, repeat)
    w, stream = RULES[p.couplings](xi), Stream(seed, p.N, p.P, repeat, TRAINING)
    S = start(stream, xi, p.start)
    one = sign(w @ S)
    steps = [one @ xi[0] / p.N, sign(w @ one) @ xi[0] / p.N]
    turn, before, seen, fixed = list(range(p.N)), None, [], 0.0
    for _ in range(p.sweeps):
        old = S.copy()
        if p.dynamics == "parallel":
            S = sign(w @ S)
        else:
            sweep(w, S, stream, turn, p.T)
        seen.append(S @ xi[0] / p.N)
        fixed = float(p.T == 0 and np.array_equal(S, old))
        if fixed or (p.dynamics == "parallel" and before is not None and np.array_equal(S, before)):
            break
        before = old
    m = np.mean(seen[p.sweeps // 2 :]) if p.T > 0 else seen[-1]
    return [*steps, m, -0.5 * S @ w @ S / p.N, len(seen), fixed]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"dynamics": "parallel", "alpha": 0.4},
        {"T": 0.5, "sweeps": 7},
        {"alpha": 1.3, "start": -0.2, "sweeps": 4},
        {"couplings": "pseudo_inverse", "alpha": 0.4, "start": 0.6},
        {"couplings": "pseudo_inverse", "alpha": 0.4, "start": 0.6, "dynamics": "parallel"},
    ],
    ids=str,
)
def test_it_equals_the_plain_network(more):
    point = {"N": 61, "alpha": 0.15, "start": 0.5} | more
    values = SCENARIO.run(point, 3, 5, 9)
    names = ["first", "second", "overlap", "energy", "sweeps_done", "fixed"]
    for k in range(4):
        expected = plain_run(point, 3, 5 + k)
        assert [values[name][k] for name in names] == pytest.approx(expected)


def test_neurons_of_optimal_stability_are_those_of_adatron():
    """The random order of the ascent does not change its end, so only the starts are compared."""
    point = {"N": 40, "alpha": 0.4, "start": 0.6, "couplings": "optimal", "dynamics": "parallel"}
    values = SCENARIO.run(point, 3, 0, 2)
    for k in range(2):
        expected = plain_run(point, 3, k)
        assert [values[name][k] for name in ("first", "second", "overlap")] == pytest.approx(expected[:3])


@pytest.mark.parametrize("rule", RULES)
def test_blocks_may_be_cut_anywhere(rule):
    point = {"N": 50, "alpha": 0.2, "start": 0.7, "couplings": rule}
    whole = SCENARIO.run(point, 7, 0, 6)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 1, 4, 6]))
    assert set(whole) == set(SCENARIO.measures)
    assert len(set(whole["first"])) > 2
    assert SCENARIO.cost(point) > 0


def test_wide_numbers_give_the_same():
    """More than 2^15 neurons are counted in 64 bits: here forced on a small network."""
    from markone.lab.scenarios.hopfield import _hopfield

    outs = []
    for kind in (np.int16, np.int64):
        out = np.empty((3, 7))
        xi, M = np.empty((90, 12), dtype=np.int8), np.empty(12, dtype=kind)
        _hopfield.recall_hebb_block(1, 0, xi, M, 0.6, 0.0, False, 20, out)
        outs.append(out)
    assert np.array_equal(*outs)


@pytest.mark.parametrize(("alpha", "start"), [(0.1, 0.5), (0.2, 1.0), (0.5, 0.8)])
def test_the_first_two_steps_meet_theory(alpha, start):
    point = {"N": 800, "alpha": alpha, "start": start, "sweeps": 2}
    values = SCENARIO.run(point, 2, 0, 300)
    for name in ("first", "second"):
        # The 1/N term: coefficients of order one.
        assert far(values[name], SCENARIO.theories[name].function(point), 2 / 800) < 4


def test_retrieval_meets_the_theory_of_amit_gutfreund_and_sompolinsky():
    for point in (
        {"N": 1500, "alpha": 0.1},
        {"N": 1000, "alpha": 0.05, "T": 0.4, "sweeps": 60},
    ):
        values = SCENARIO.run(point, 2, 0, 60)
        assert far(values["overlap"], SCENARIO.theories["retrieval"].function(point), 2 / point["N"]) < 4
    energy = SCENARIO.run({"N": 1500, "alpha": 0.1}, 2, 0, 60)["energy"]
    assert far(energy, SCENARIO.theories["energy"].function({"N": 1500, "alpha": 0.1}), 2 / 1500) < 4


def test_beyond_the_capacity_the_memory_is_lost():
    point = {"N": 1000, "alpha": 0.25}
    assert SCENARIO.run(point, 1, 0, 10)["overlap"].mean() < 0.6
    assert math.isnan(SCENARIO.theories["retrieval"].function(point))
    assert SCENARIO.marks["capacity"].function(point) == pytest.approx(0.1379, abs=1e-4)


def test_theories_are_nan_where_they_do_not_hold():
    for more in ({"start": 0.5}, {"couplings": "optimal"}, {"T": 0.5, "dynamics": "parallel"}, {"T": 0.001}):
        assert math.isnan(SCENARIO.theories["retrieval"].function({"N": 100, "alpha": 0.05} | more))
    assert math.isnan(SCENARIO.theories["second"].function({"N": 9, "alpha": 0.1, "couplings": "optimal"}))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"couplings": "pseudo_inverse", "alpha": 1.0}, "beyond the capacity 1"),
        ({"couplings": "optimal", "alpha": 0.5, "N": 20}, "two patterns of so few bits may be equal"),
        ({"start": 1.5}, "less than or equal to 1"),
        ({"T": -1.0}, "greater than or equal to 0"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 100, "alpha": 0.1} | change)


def test_images_are_one_of_each_class_in_turn(monkeypatch):
    monkeypatch.delenv("MARKONE_DATA", raising=False)
    p = hopfield_images.Parameters.model_validate({"P": 20})
    assert p.images == "digits"
    xi, starts, _ = hopfield_images.draw_images(p, 1, 0)
    X, y = load_digits(return_X_y=True)
    binary = np.where(X > 7, 1, -1)
    found = [y[np.flatnonzero((binary == row).all(axis=1))[0]] for row in xi]
    assert found == [*range(10), *range(10)]
    assert (starts != xi).mean() == pytest.approx(0.1, abs=0.03)


def test_image_blocks_may_be_cut_anywhere():
    scenario = hopfield_images.SCENARIO
    point = {"images": "digits", "P": 4, "couplings": "pseudo_inverse", "flipped": 0.2}
    whole = scenario.run(point, 7, 0, 4)
    same(whole, in_pieces(scenario, point, 7, [0, 1, 4]))
    assert set(whole) == set(scenario.measures)
    assert scenario.cost(point) > 0


def test_the_picture_shows_a_row_for_each_rule():
    from types import SimpleNamespace

    from matplotlib.figure import Figure

    figure = Figure()
    points = [
        SimpleNamespace(parameters={"images": "digits", "P": 3, "couplings": c}) for c in ("optimal", "hebb")
    ]
    hopfield_images.SCENARIO.pictures["images"].draw(figure, points, 1)
    assert len(figure.axes) == 18
    assert figure.axes[0].get_ylabel().startswith("hebb")
    assert [axes.get_title() for axes in figure.axes[:3]] == ["stored", "start", "end"]


MEMORY = {
    "name": "memory",
    "title": "A memory",
    "scenario": "hopfield",
    "seed": 1,
    "repeats": 4,
    "grid": {"alpha": [0.05, 0.1]},
    "fixed": {"N": 40, "sweeps": 7},
}


@pytest.mark.parametrize("ending", ["csv", "parquet", "nc"])
def test_results_stored_under_the_former_name_are_read_under_the_new_one(tmp_path, ending):
    """`sweeps` was a parameter and a measure, and no table can hold both: export failed."""
    declaration = parse_declaration(MEMORY)
    first, *others = list_remaining_tasks(declaration, {})
    with Store(tmp_path / "memory.sqlite") as store:
        outcome = run_task(first)
        former = {"sweeps" if name == "sweeps_done" else name: v for name, v in outcome.values.items()}
        store.add(first, replace(outcome, values=former))
        assert [task.id for task in list_remaining_tasks(declaration, store.done())] == [
            task.id for task in others
        ]
        for task in others:
            store.add(task, run_task(task))
        points = store.points(declaration)
        assert set(points[0].values) == set(SCENARIO.measures)
        expected = outcome.values["sweeps_done"]
        assert points[0].values["sweeps_done"][: len(expected)].tobytes() == expected.tobytes()
        assert export_results(store, declaration, tmp_path / f"table.{ending}").stat().st_size > 0


@pytest.mark.parametrize("name", ["sweeps", "repeat"])
def test_a_scenario_with_two_columns_of_one_name_is_refused(name):
    with pytest.raises(ValueError, match=rf"'hopfield' uses the name '{name}' twice.*Rename one of the two"):
        replace(SCENARIO, measures={**SCENARIO.measures, name: "steps done"})
