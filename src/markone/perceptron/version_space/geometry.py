"""The geometry of learning on one page: Figs. 3.5 to 3.7 of the notes, with random examples."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.version_space.cut import Cut
from markone.perceptron.version_space.pictures import draw_circle, draw_student_and_teacher
from markone.perceptron.version_space.space import VersionSpace
from markone.perceptron.version_space.sphere import draw_sphere


def draw_geometry(figure: Any, seed: int = 0) -> None:
    """Fill a matplotlib figure with six pictures of version space.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure to fill.
    seed : int, default=0
        Chooses the examples.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from markone.perceptron.version_space import draw_geometry
    >>> draw_geometry(figure := plt.figure())
    >>> len(figure.axes)
    6
    """
    rng = np.random.default_rng(seed)
    axes = figure.subplots(2, 3).ravel()
    # Nearly orthogonal examples, so that the triangle on the sphere is neither thin nor a hemisphere.
    w_star, xi = np.ones(3), np.eye(3) + 0.25 * rng.standard_normal((3, 3))
    xi[1] *= -1
    S = np.where(xi @ w_star >= 0, 1.0, -1.0)
    space = VersionSpace(xi, S)
    sample = space.sample(200, seed=seed)
    draw_student_and_teacher(sample.students[0], w_star, ax=axes[0])
    flat = rng.standard_normal((4, 2))
    signs = np.where(flat @ rng.standard_normal(2) >= 0, 1.0, -1.0)
    draw_circle(flat, signs, students=VersionSpace(flat, signs).sample(60, seed=seed).students, ax=axes[1])
    draw_sphere(xi[:1], S[:1], ax=axes[2])
    draw_sphere(xi, S, students=sample.students, ax=axes[3])
    candidates = rng.standard_normal((200, 3))
    uninformative, informative = _choose_examples(candidates, space.cut(candidates, seed=seed))
    draw_sphere(xi, S, new=uninformative, ax=axes[4])
    draw_sphere(xi, S, new=informative, ax=axes[5])
    titles = (
        "", "two dimensions, P = 4", "one example halves the sphere", "version space of three",
        "one more: not informative", "one more: informative",
    )  # fmt: skip
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title or ax.get_title(), fontsize=10)


def _choose_examples(candidates: Array, cuts: list[Cut]) -> tuple[Array | None, Array]:
    """Return an input whose label is already implied, or None, and the most informative one."""
    implied = [k for k, cut in enumerate(cuts) if cut.informative is False]
    best = int(np.argmax([cut.information for cut in cuts]))
    return (candidates[implied[0]] if implied else None), candidates[best]
