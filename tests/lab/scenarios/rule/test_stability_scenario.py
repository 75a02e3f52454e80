"""kappa(alpha): certified, the AdaTron estimator's, Gardner's in the limit."""

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import examples, far, in_pieces, same

from markone.lab.scenarios.rule.stability import SCENARIO, Parameters
from markone.perceptron import AdaTron
from markone.perceptron.theory import capacity, max_stability


@pytest.mark.parametrize(("labels", "noise", "alpha"), [("random", 0.0, 1.0), ("teacher", 0.1, 1.5)])
def test_it_is_the_largest_stability(labels, noise, alpha):
    N, P = 14, round(14 * alpha)
    point = {"N": N, "alpha": alpha, "labels": labels, "noise": noise}
    values = SCENARIO.run(point, 4, 0, 5)
    for k in range(5):
        xi, S = examples(4, N, P, k, labels, noise)
        if values["separable"][k]:
            best = AdaTron(fit_intercept=False).fit(xi, S)
            assert values["kappa"][k] == pytest.approx(best.stability_, rel=1e-5)
            assert values["support_vectors"][k] * N == pytest.approx(len(best.support_), rel=1e-15)
    assert values["separable"].sum() >= 3
    assert np.all(values["certified"] == 1)


def test_what_is_not_separable_counts_as_zero():
    values = SCENARIO.run({"N": 8, "alpha": 4.0}, 1, 0, 6)
    assert np.all(values["separable"] == 0)
    assert np.all(values["kappa"] == 0)
    assert np.all(np.isnan(values["support_vectors"]))


def test_blocks_may_be_cut_anywhere():
    point = {"N": 10, "alpha": 2.0, "labels": "random"}
    whole = SCENARIO.run(point, 7, 2, 12)
    same(whole, in_pieces(SCENARIO, point, 7, [2, 3, 8, 12]))
    assert set(whole) == set(SCENARIO.measures)
    assert 0 < whole["separable"].sum() < 10


def test_too_few_sweeps_are_reported():
    values = SCENARIO.run({"N": 30, "alpha": 5.0, "labels": "teacher", "max_sweeps": 2}, 1, 0, 4)
    assert np.all(values["certified"] == 0)
    assert np.all(values["kappa"] >= 0)


def test_theories_depend_on_the_labels():
    kappa, support = SCENARIO.theories["kappa"].function, SCENARIO.theories["support_vectors"].function
    assert kappa({"N": 10, "alpha": 1.0}) == capacity.stability(1.0)
    assert kappa({"N": 10, "alpha": 3.0}) == 0
    teacher = {"N": 10, "alpha": 2.0, "labels": "teacher", "noise": 0.1}
    assert kappa(teacher) == max_stability.stability(2.0, 0.1)
    assert kappa(teacher | {"alpha": 9.0}) == 0
    assert support(teacher) == max_stability.support_vectors(2.0, 0.1)
    assert np.isnan(support({"N": 10, "alpha": 3.0}))
    assert SCENARIO.theories["cover"].function({"N": 10, "alpha": 2.0}) == pytest.approx(0.5)
    assert SCENARIO.cost(teacher) > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"noise": 0.1}, "labels that are random anyway"),
        ({"labels": "cat"}, "'random' or 'teacher'"),
        ({"alpha": -1}, "greater than 0"),
        ({"max_sweeps": 0}, "greater than or equal to 1"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 10, "alpha": 1.0} | change)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labels", "alpha"), [("random", 0.5), ("random", 1.0), ("teacher", 1.0), ("teacher", 3.0)]
)
def test_it_meets_gardner(labels, alpha):
    """Means at N = 40, 80, 160, extrapolated: the 1/N and 1/N^2 terms drop out."""
    point = {"alpha": alpha, "labels": labels}
    for name in ("kappa", "support_vectors"):
        means, variance = 0.0, 0.0
        for N, factor in [(40, 1 / 3), (80, -2), (160, 8 / 3)]:
            values = SCENARIO.run(point | {"N": N}, 3, 0, 24_000 // N)[name]
            means += factor * values.mean()
            variance += factor**2 * values.var(ddof=1) / len(values)
        expected = SCENARIO.theories[name].function(point | {"N": 1})
        assert abs(means - expected) < 4 * np.sqrt(variance), (name, means, expected)
        assert np.sqrt(variance) < 0.05 * expected


@pytest.mark.slow
def test_cover_counts_the_separable_sets():
    point = {"N": 20, "alpha": 2.0}
    assert far(SCENARIO.run(point, 3, 0, 1000)["separable"], SCENARIO.theories["cover"].function(point)) < 4
