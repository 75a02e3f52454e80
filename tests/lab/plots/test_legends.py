"""A legend covers nothing."""

import pytest
from stand_ins import ALPHAS, SIZES, Declaration, figure, made_up

from markone.lab.plots.draw import draw
from markone.lab.plots.legends import covers


@pytest.mark.parametrize("rise", [0.0, 1.0])
def test_a_legend_never_stands_on_marks_or_lines(rise):
    """Marks all over the axes leave no room inside; a curve in one corner does."""
    declaration = Declaration(grid={"N": SIZES, "alpha": ALPHAS}, repeats=10)
    points = made_up(declaration, noise=1e-6)
    for point in points:
        N, alpha = point.parameters["N"], point.parameters["alpha"]
        level = SIZES.index(N) + 0.3 * (ALPHAS.index(alpha) % 3) if rise else N / alpha**9
        point.values["kappa"] = level + 0 * point.values["kappa"]
    drawn = draw(declaration, points, figure(measures=["kappa"], theory=["kappa", "cover"] if rise else []))
    (axes,) = drawn.figure.axes
    inside = axes.get_legend()
    assert (inside is None) == bool(rise)
    assert bool(drawn.figure.legends) == bool(rise)
    assert inside is None or not covers(inside, axes)
