"""Dark mode of figures."""

import numpy as np
import pytest
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure

from markone.figures import draw
from markone.show.drawing import PAPER, apply_dark_mode, invert_lightness


def contrast(one, other):
    """As the accessibility guidelines of the web define it: 1 to 21."""
    linear = [
        np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) for c in map(np.array, (one, other))
    ]
    low, high = sorted(float(c @ [0.2126, 0.7152, 0.0722]) for c in linear)
    return (high + 0.05) / (low + 0.05)


def drawn():
    figure = Figure()
    ax = figure.add_subplot()
    (line,) = ax.plot([0, 1], [0, 1], color="0.15", marker="o", mfc="white", label="theory")
    marks = ax.scatter([0.5], [0.2], color="#0072B2")
    ax.set_xlabel("x")
    box = ax.annotate(
        "here", (0.5, 0.5), (0.2, 0.8), bbox={"facecolor": "white"}, arrowprops={"color": "black"}
    )
    return figure, ax, line, marks, box


def test_background_becomes_dark_and_contents_stay_readable():
    figure, ax, line, marks, box = drawn()
    apply_dark_mode(figure)
    paper = figure.get_facecolor()[:3]
    assert max(paper) == pytest.approx(PAPER)
    inks = [line.get_color()[:3], marks.get_facecolor()[0, :3], ax.xaxis.label.get_color()[:3]]
    inks += [ax.spines["left"].get_edgecolor()[:3], box.get_color()[:3], box.arrow_patch.get_facecolor()[:3]]
    figure.draw_without_rendering()  # makes the ticks anew
    inks += [to_rgb(label.get_color()) for label in ax.get_xticklabels()]
    assert min(contrast(ink, paper) for ink in inks) > 4.5
    assert box.get_bbox_patch().get_facecolor()[:3] == pytest.approx(paper)
    assert line.get_markerfacecolor()[:3] == pytest.approx(paper)


def test_hues_and_transparency_stay():
    (turned,) = invert_lightness([(0.0, 0.25, 0.5, 0.3)])
    assert turned[3] == 0.3
    assert turned[2] > turned[1] > turned[0] > 0
    assert invert_lightness([]).shape == (0, 4)


def test_colour_scales_and_their_labels_stay_and_listed_colours_change():
    figure = Figure()
    scale, chosen = figure.subplots(1, 2)
    image = scale.imshow([[0, 1]], cmap="Blues")
    word = scale.text(0, 0, "12", color="0.1")
    areas = chosen.imshow([[0, 1]], cmap=ListedColormap(["#dbe9f6", "#fde0d0"]))
    apply_dark_mode(figure)
    assert image.cmap.name == "Blues"
    assert word.get_color() == "0.1"
    assert np.max(areas.cmap(0)[:3]) < 0.4


def test_a_dark_figure_of_the_notes_is_saved_with_its_background(tmp_path):
    figure = draw("1.3", tmp_path / "a.svg", dark=True)
    assert max(figure.get_facecolor()[:3]) == pytest.approx(PAPER)
    assert "#141414" in (tmp_path / "a.svg").read_text()
