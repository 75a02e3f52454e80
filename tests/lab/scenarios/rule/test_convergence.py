"""Rosenblatt's updates M and the bound M* of the proof."""

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import examples, in_pieces, same

from markone.lab.scenarios.rule.convergence import SCENARIO, Parameters
from markone.perceptron import AdaTron
from markone.perceptron.measures import convergence_bound
from markone.perceptron.theory.convergence import rule_bound, storage_bound


def updates(xi, S, c, sweeps):
    w, M = np.zeros(xi.shape[1]), 0
    for sweep in range(sweeps):
        before = M
        for x, s in zip(xi, S, strict=True):
            if s * (x @ w) <= c:
                w = w + s * x / len(w)
                M += 1
        if before == M:
            return M, sweep + 1, 1.0
    return M, sweeps, 0.0


@pytest.mark.parametrize("c", [0.0, 0.5])
@pytest.mark.parametrize(("labels", "alpha"), [("random", 0.75), ("teacher", 2.0)])
def test_updates_and_bound_equal_their_twins(labels, alpha, c):
    N, P = 12, round(12 * alpha)
    values = SCENARIO.run({"N": N, "alpha": alpha, "labels": labels, "c": c}, 2, 0, 4)
    for k in range(4):
        xi, S = examples(2, N, P, k, labels)
        M, sweeps, converged = updates(xi, S, c, 10_000)
        assert [values[n][k] for n in ("updates", "sweeps", "converged")] == [M, sweeps, converged]
        best = AdaTron(fit_intercept=False).fit(xi, S)
        assert values["bound"][k] == pytest.approx(convergence_bound(xi, S, best.coef_[0], c), rel=1e-5)
    np.testing.assert_allclose(values["ratio"], values["updates"] / values["bound"])
    assert np.all(values["converged"] == 1)


@pytest.mark.parametrize(("labels", "c"), [("random", 0.0), ("teacher", 0.0), ("teacher", 1.0)])
def test_the_theorem_holds(labels, c):
    values = SCENARIO.run({"N": 15, "alpha": 1.2, "labels": labels, "c": c}, 9, 0, 200)
    here = values["separable"] == 1
    assert np.all(values["updates"][here] <= values["bound"][here])
    assert here.sum() > 150


def test_without_a_solution_there_is_no_bound():
    values = SCENARIO.run({"N": 6, "alpha": 5.0, "max_sweeps": 30}, 1, 0, 5)
    assert np.all(values["separable"] == 0)
    assert np.all(np.isinf(values["bound"]))
    assert np.all(values["ratio"] == 0)
    assert np.all(values["converged"] == 0)
    assert np.all(values["sweeps"] == 30)


def test_blocks_may_be_cut_anywhere():
    point = {"N": 10, "alpha": 1.8, "labels": "random", "max_sweeps": 50}
    whole = SCENARIO.run(point, 7, 0, 9)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 2, 3, 9]))
    assert set(whole) == set(SCENARIO.measures)


def test_the_theory_is_the_bound_of_the_limit():
    bound = SCENARIO.theories["bound"].function
    assert bound({"N": 50, "alpha": 1.0, "labels": "random", "c": 0.3}) == pytest.approx(
        50 * storage_bound(1.0, 0.3)
    )
    teacher = {"N": 50, "alpha": 2.0, "labels": "teacher", "noise": 0.1}
    assert bound(teacher) == pytest.approx(50 * rule_bound(2.0, 0.1))
    assert bound(teacher | {"alpha": 20.0}) == np.inf
    assert SCENARIO.cost(teacher) > 0


def test_nonsense_is_refused():
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "c": -1})
    with pytest.raises(ValidationError, match="labels that are random anyway"):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "noise": 0.2})


@pytest.mark.slow
def test_the_bound_tends_to_its_limit():
    """Gamma = max |xi|^2/N falls to 1 slowly, so the measured bound lies above, less so for larger N."""
    excess = []
    for N in (50, 200):
        point = {"N": N, "alpha": 1.0, "labels": "teacher"}
        bound = SCENARIO.run(point, 1, 0, 100)["bound"].mean()
        excess.append(bound / SCENARIO.theories["bound"].function(point) - 1)
    assert 0 < excess[1] < excess[0] < 1
