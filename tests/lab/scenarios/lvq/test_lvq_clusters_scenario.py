"""LVQ1 as a chain of its order parameters: plain reference, simulation in N dimensions, flow."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import Stream, far, in_pieces, same
from scipy.special import ndtr

from markone.lab.scenarios.lvq.lvq_clusters import ORDER_PARAMETERS, SCENARIO, Parameters
from markone.lvq.theory import lvq1
from markone.lvq.theory.clusters import Clusters

POINT = {"N": 9, "alpha": 3.0, "eta": 0.7, "l": 1.2, "v_plus": 0.8, "v_minus": 0.4, "p_plus": 0.7}


def chi_square(stream, k):
    if k < 2:
        return sum(stream.normal() ** 2 for _ in range(k))
    d = 0.5 * k - 1 / 3
    while True:
        x = stream.normal()
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(1 - stream.uniform()) < 0.5 * x * x + d * (1 - v + math.log(v)):
            return 2 * d * v


def walk(point, seed, repeat):
    """Two prototypes as vectors in four dimensions that turn with them, the rest of |xi|^2 beside."""
    N, P, l = point["N"], Parameters(**point).P, point["l"]
    stream = Stream(seed, N, P, repeat)
    R, Q = np.zeros((2, 2)), 1e-4 * np.eye(2)
    for _ in range(P):
        k = 0 if stream.uniform() < point["p_plus"] else 1
        v = point["v_plus"] if k == 0 else point["v_minus"]
        z = math.sqrt(v) * np.array([stream.normal() for _ in range(4)])
        across = np.linalg.cholesky(Q - R @ R.T)
        w = np.hstack([R, across])  # rows: w_+, w_-
        xi = z + np.array([l * (k == 0), l * (k == 1), 0, 0])
        square = xi @ xi + v * chi_square(stream, N - 4)
        h = w @ xi
        S = 0 if Q[0, 0] - 2 * h[0] <= Q[1, 1] - 2 * h[1] else 1
        step = (1 if k == S else -1) * point["eta"] / N
        R[S] += step * (xi[:2] - R[S])
        T = 1 - S
        Q[S, S] = (1 - step) ** 2 * Q[S, S] + 2 * step * (1 - step) * h[S] + step**2 * square
        Q[S, T] = Q[T, S] = (1 - step) * Q[S, T] + step * h[T]
    return np.array([*R.ravel(), Q[0, 0], Q[0, 1], Q[1, 1]])


def test_equals_the_plain_reference():
    values = SCENARIO.run(POINT, 3, 5, 9)
    clusters = Clusters(1.2, 0.8, 0.4, 0.7)
    for k in range(4):
        state = walk(POINT, 3, 5 + k)
        assert [values[name][k] for name in ORDER_PARAMETERS] == pytest.approx(state, rel=1e-9)
        assert values["epsilon_g"][k] == pytest.approx(lvq1.Prototypes(state, clusters).epsilon_g)


def test_blocks_may_be_cut_anywhere():
    whole = SCENARIO.run(POINT, 7, 0, 9)
    same(whole, in_pieces(SCENARIO, POINT, 7, [0, 2, 3, 9]))
    assert set(whole) == set(SCENARIO.measures)
    assert len(set(whole["epsilon_g"])) == 9


def simulate(point, runs, rng):
    """The same in N dimensions, example by example."""
    N, l = point["N"], point["l"]
    w = np.zeros((runs, 2, N))
    w[:, 0, 2] = w[:, 1, 3] = 0.01
    for _ in range(Parameters(**point).P):
        k = (rng.random(runs) >= point["p_plus"]).astype(int)
        xi = (
            rng.standard_normal((runs, N))
            * np.sqrt(np.where(k == 0, point["v_plus"], point["v_minus"]))[:, None]
        )
        xi[np.arange(runs), k] += l
        S = ((xi[:, None] - w) ** 2).sum(-1).argmin(axis=1)
        rows = np.arange(runs)
        w[rows, S] += (np.where(k == S, 1, -1) * point["eta"] / N)[:, None] * (xi - w[rows, S])
    Q = [(w[:, a] * w[:, b]).sum(-1) for a, b in ((0, 0), (0, 1), (1, 1))]
    return np.stack([*w[:, :, :2].reshape(runs, 4).T, *Q])


def test_chain_has_the_distribution_of_the_simulation():
    """Means and variances of all order parameters at N = 9, where 1/N is not negligible."""
    runs = 4000
    chain = SCENARIO.run(POINT, 1, 0, runs)
    for name, other in zip(ORDER_PARAMETERS, simulate(POINT, runs, np.random.default_rng(0)), strict=True):
        mine = chain[name]
        assert abs(mine.mean() - other.mean()) < 4 * math.sqrt((mine.var() + other.var()) / runs), name
        a, b = (mine - mine.mean()) ** 2, (other - other.mean()) ** 2
        assert abs(a.mean() - b.mean()) < 4.5 * math.sqrt((a.var() + b.var()) / runs), name


def test_the_means_meet_the_flow():
    """Two sizes leave only a term of 1/N^2 beside the standard error."""
    for p_plus in (0.5, 0.3):
        point = {"alpha": 6.0, "eta": 0.6, "p_plus": p_plus}
        small, large = (SCENARIO.run(point | {"N": N}, 2, 0, 2000) for N in (100, 200))
        for name, theory in SCENARIO.theories.items():
            if name in ("stationary", "best_linear"):
                continue
            both = 2 * large[theory.measure] - small[theory.measure]
            assert far(both, theory.function(point | {"N": 200})) < 4, name


@pytest.mark.slow
def test_many_examples_meet_the_stationary_error():
    for eta, p_plus in ((0.5, 0.5), (1.0, 0.3)):
        point = {"alpha": 100.0, "eta": eta, "p_plus": p_plus}
        small, large = (SCENARIO.run(point | {"N": N}, 4, 0, 300)["epsilon_g"] for N in (100, 200))
        assert far(2 * large - small, SCENARIO.theories["stationary"].function(point)) < 4


def test_theories():
    point = POINT | {"p_plus": 0.5, "v_plus": 1.0, "v_minus": 1.0, "l": 1.0}
    assert SCENARIO.theories["best_linear"].function(point) == pytest.approx(ndtr(-1 / math.sqrt(2)))
    assert SCENARIO.theories["stationary"].function(point | {"eta": 0.5}) == pytest.approx(0.2524, abs=5e-5)
    for alpha in (0.05, 0.1, 0.13, 1.0, 40.0):  # before, on and after the places where flows begin
        direct = lvq1.generalization_error(alpha, 0.7)
        assert SCENARIO.theories["epsilon_g"].function(point | {"alpha": alpha}) == pytest.approx(
            direct, rel=1e-8
        )
    flow = lvq1.trajectory(3.0, 0.7)
    assert SCENARIO.theories["R_mm"].function(point) == pytest.approx(flow.state[3])
    assert SCENARIO.theories["epsilon_g"].function(point) == pytest.approx(flow.epsilon_g)
    assert SCENARIO.cost(point) > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"N": 3}, "greater than or equal to 4"),
        ({"p_plus": 1.0}, "less than 1"),
        ({"eta": 0}, "greater than 0"),
        ({"v_plus": -1.0}, "greater than 0"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "eta": 0.5} | change)
