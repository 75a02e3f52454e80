"""A legend above the axes fits its figure."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from markone.lab.plots.drawn_figure import Drawn
from markone.lab.plots.legends import add_legend_above
from markone.show.drawing import markone_style


@pytest.mark.parametrize(
    "labels",
    [
        ["N = 5", "N = 20", "N = 100"],
        ["N = 500", "N = 1000", "retrieval state (Amit et al.)", "capacity for N -> infinity"],
        ["a label of rather many words for two", "N = 20", "N = 100", "N = 500"],
    ],
)
def test_it_is_no_wider_than_its_figure(labels):
    with markone_style():
        drawn = Drawn("one", Figure((3.4, 2.6), layout="constrained"))
        FigureCanvasAgg(drawn.figure)
        drawn.figure.subplots().plot([0, 1], [0, 1])
        add_legend_above(drawn, [Line2D([], [], label=label) for label in labels])
        drawn.figure.draw_without_rendering()
    (legend,) = drawn.figure.legends
    assert legend.get_window_extent().width <= drawn.figure.bbox.width
