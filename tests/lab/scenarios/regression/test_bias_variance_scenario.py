"""The decomposition (6.7): two data sets a repeat, exact sums, the closed form, the notes' figure."""

import numpy as np
import pytest
from scenario_twins import far, in_pieces, same

from markone.lab.load import load_declaration
from markone.lab.scenarios.regression import bias_variance as bv


def twin(p, seed, repeat):
    """numpy.polyfit on the same two sets; averages over x by a fine grid."""
    noise = np.random.default_rng((seed, repeat)).standard_normal((4, p.P))
    x, points = np.linspace(-1, 1, 200_001), np.linspace(-1, 1, p.P)
    sets = p.f(points) + p.rho * noise[:2]
    fits = [np.polyfit(points, y, p.degree) for y in sets]
    a, b = (p.f(x) - np.polyval(w, x) for w in fits)
    fresh = p.f(points) + p.rho * noise[2:]
    pairs = list(zip(sets, fresh, fits, strict=True))
    return {
        "bias2": np.trapezoid(a * b, x) / 2,
        "variance": np.trapezoid((a - b) ** 2, x) / 4,
        "error": np.trapezoid(a**2 + b**2, x) / 4,
        "training_error": np.mean([(y - np.polyval(w, points)) ** 2 for y, _, w in pairs]),
        "test_error": np.mean([(z - np.polyval(w, points)) ** 2 for _, z, w in pairs]),
    }


@pytest.mark.parametrize("target", ["cube", "sine"])
@pytest.mark.parametrize("degree", [0, 1, 3, 7])
def test_the_plain_twin(degree, target):
    p = bv.Parameters(degree=degree, target=target, rho=0.3)
    found = bv.SCENARIO.run(p.model_dump(), 5, 2, 3)
    for name, value in twin(p, 5, 2).items():
        assert found[name][0] == pytest.approx(value, rel=1e-7, abs=1e-10), name


def test_the_decomposition_holds_for_each_repeat():
    found = bv.SCENARIO.run({"degree": 5}, 1, 0, 50)
    np.testing.assert_allclose(found["bias2"] + found["variance"], found["error"], rtol=1e-12)


@pytest.mark.parametrize("target", ["cube", "sine"])
@pytest.mark.parametrize("degree", [0, 2, 3, 6])
def test_simulation_meets_the_closed_form(degree, target):
    point = {"degree": degree, "target": target}
    found = bv.SCENARIO.run(point, 3, 0, 4000)
    for name, theory in bv.THEORIES.items():
        assert far(found[theory.measure], theory.function(point)) < 4, name


def test_interpolation_and_no_noise():
    exact = bv.SCENARIO.run({"degree": 10}, 1, 0, 3)
    np.testing.assert_allclose(exact["training_error"], 0, atol=1e-20)
    silent = bv.SCENARIO.run({"degree": 3, "rho": 0.0}, 1, 0, 3)
    for name in bv.SCENARIO.measures:
        np.testing.assert_allclose(silent[name], 0, atol=1e-20)


def test_blocks_may_be_cut_anywhere():
    same(bv.SCENARIO.run({"degree": 4}, 7, 0, 9), in_pieces(bv.SCENARIO, {"degree": 4}, 7, [0, 1, 5, 9]))


def test_a_degree_that_eleven_points_do_not_determine():
    with pytest.raises(ValueError, match="degree = 11 with P = 11 points: the highest is 10"):
        bv.Parameters(degree=11)


def test_fig_6_1_has_a_row_for_each_set_and_a_column_for_each_degree():
    from matplotlib.figure import Figure

    from markone.lab.scenario import Point

    declaration = load_declaration("bias_variance")
    points = [Point(q, {}, 0, 0.0, []) for q in declaration.points() if q["degree"] in (1, 3, 7)]
    figure = Figure(figsize=bv.SCENARIO.pictures["fits"].size)
    bv.draw(figure, points, 1)
    assert len(figure.axes) == 9
    assert [axes.get_title() for axes in figure.axes[:3]] == ["K = 1", "K = 3", "K = 7"]
