"""Display names in figures, and marks that do not hide each other."""

import numpy as np
import pytest
from generated_points import Declaration, Point, figure

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.style import display_text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minover, alpha = 2", "MinOver, α = 2"),
        ("pseudo_inverse", "pseudo-inverse"),
        ("soft_margin", "soft margin"),
        ("sklearn.linear_model.Perceptron(max_iter=5)", "Perceptron(max iter=5)"),
        ("epsilon_g for N to infinity", r"$\epsilon_g$ for N → ∞"),
        (r"$\alpha_x$ and alpha", r"$\alpha_x$ and α"),
        ("alphabet 0.5", "alphabet 0.5"),
    ],
)
def test_words(text, said):
    assert display_text(text) == said


def test_marks_at_one_place_stay_there():
    points = [Point({"N": N, "alpha": a}, {"kappa": np.ones(4)}) for N in (10, 20) for a in (1.0, 2.0)]
    declaration = Declaration(grid={"N": [10, 20], "alpha": [1.0, 2.0]})
    drawn = draw_declared_figure(declaration, points, figure(measures=["kappa"], theory=[]))
    axes = drawn.figure.axes[0]
    marks = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    seen = np.array([line.get_transform().transform((1.0, 1.0)) for line in marks])
    assert seen[1, 0] == seen[0, 0]
    assert [line.get_fillstyle() for line in marks] == ["full", "none"]
    assert [series.x for series in drawn.means] == [[1.0, 2.0], [1.0, 2.0]]
