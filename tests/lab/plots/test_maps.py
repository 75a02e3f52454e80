"""Maps and surfaces."""

import numpy as np
import pytest
from generated_points import ALPHAS, SIZES, Declaration, Point, figure, made_up

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import rendered_bytes
from markone.lab.plots.maps import is_geometric
from markone.lab.statistics import estimate_mean

DECLARATION = Declaration(repeats=60)
POINTS = made_up(DECLARATION, b=-0.5)


def stored(measure, N, alpha):
    point = next(p for p in POINTS if p.parameters == {"N": N, "alpha": alpha})
    return estimate_mean(point.values[measure], measure != "kappa")


@pytest.mark.parametrize("kind", ["map", "surface"])
def test_maps_hold_the_means_and_holes_where_nothing_was_measured(kind):
    drawn = draw_declared_figure(
        DECLARATION, POINTS[1:], figure(kind=kind, measures=["kappa", "separable"], theory=[])
    )
    assert [s.measure for s in drawn.means] == ["kappa", "separable"]
    for series in drawn.means:
        for x, N, z in zip(series.x, series.y, series.mean, strict=True):
            missing = (N, x) == (SIZES[0], ALPHAS[0])
            assert np.isnan(z) if missing else z == stored(series.measure, N, x).mean


def test_the_colours_of_a_map_are_its_means():
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(kind="map", measures=["kappa"], theory=[]))
    mesh = drawn.figure.axes[0].collections[0]
    assert np.array_equal(np.ravel(mesh.get_array()), drawn.means[0].mean)


def test_divergence_does_not_flatten_the_rest():
    points = [Point(p.parameters, {"kappa": p.values["kappa"].copy()}) for p in POINTS]
    points[5].values["kappa"][:] = np.linspace(1e200, 2e200, 60)
    for kind in ("map", "surface"):
        drawn = draw_declared_figure(
            DECLARATION, points, figure(kind=kind, measures=["kappa"], theory=[], logy=True)
        )
        assert "some runs diverge" in drawn.remark
        assert drawn.means[0].mean.max() == pytest.approx(1.5e200)
        rendered_bytes(drawn, "svg")
    assert drawn.figure.axes[0].get_zlim()[1] < 4
    assert (
        draw_declared_figure(DECLARATION, POINTS, figure(kind="map", measures=["kappa"], theory=[])).remark
        == ""
    )


def test_the_second_axis_of_a_surface_is_logarithmic_for_1_3_10_30():
    declaration = Declaration(grid={"N": [1, 3, 10, 30, 100], "alpha": ALPHAS}, repeats=3)
    drawn = draw_declared_figure(
        declaration, made_up(declaration), figure(kind="surface", measures=["kappa"], theory=[])
    )
    assert drawn.figure.axes[0].get_ylim()[1] < 3
    assert not is_geometric([10, 20, 40])
    assert not is_geometric(["a", "b", "c"])


def test_a_map_needs_a_second_axis_and_a_figure_a_known_kind():
    with pytest.raises(ValueError, match="'capacity' is of kind 'map' and needs a second axis"):
        draw_declared_figure(DECLARATION, POINTS, figure(kind="map", lines=[]))
    with pytest.raises(ValueError, match=r"cannot be of kind 'pie'.* lines, map, surface"):
        draw_declared_figure(DECLARATION, POINTS, figure(kind="pie"))
