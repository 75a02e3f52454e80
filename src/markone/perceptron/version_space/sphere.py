"""Pictures of version space on the sphere (Figs. 3.6 and 3.7), and all of Figs. 3.5 to 3.7 on one page."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.version_space.pictures import (
    CUT,
    DARK,
    LIGHT,
    LINE,
    TEACHER,
    arc_points,
    bare_axes,
    check_picture_data,
    draw_circle,
    draw_student_and_teacher,
    unit_vector,
)
from markone.perceptron.version_space.space import Cut, VersionSpace

PIXELS = 500


def draw_sphere(
    xi: ArrayLike,
    S: ArrayLike,
    *,
    new: ArrayLike | None = None,
    students: Array | None = None,
    view: ArrayLike | None = None,
    ax: Any = None,
) -> Any:
    """Draw version space on the sphere, cut by the great circle of each example   (Figs. 3.6, 3.7).

    Version space is light.

    Parameters
    ----------
    xi : array (P, 3)
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    new : array (3,) or None, default=None
        One more input, whose great circle is drawn dashed; the visible part of version space with answer +1
        to it is green.
    students : array (m, 3) or None, default=None
        Unit vectors to be drawn as dots.
    view : array (3,) or None, default=None
        Direction of view; None: towards version space.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; None: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from markone.perceptron.version_space import draw_sphere
    >>> draw_sphere([[1.0, 0.2, 0.1], [0.3, 1.0, 0.0]], [1, 1]).get_aspect()
    1.0
    """
    xi, S = check_picture_data(xi, S, 3)
    ax = bare_axes(ax)
    Z = xi * S[:, None]
    basis = view_basis(_view_direction(Z) if view is None else unit_vector(view))
    ax.imshow(_sphere_image(Z, new, basis), extent=(-1, 1, -1, 1), origin="lower", interpolation="bilinear")
    for one in xi:
        _draw_great_circle(ax, one, basis, "-")
    if new is not None:
        _draw_great_circle(ax, np.asarray(new, dtype=float), basis, "--")
    if students is not None:
        seen = np.asarray(students) @ basis.T
        ax.plot(*seen[seen[:, 2] > 0, :2].T, ".", color=TEACHER, ms=2.5)
    ax.plot(*arc_points(0, 2 * np.pi).T, color=LINE, lw=1)
    ax.set_xlim(-1.05, 1.05)
    ax.set_ylim(-1.05, 1.05)
    return ax


def _view_direction(Z: Array) -> Array:
    """A direction near the middle of version space, from a grid over the sphere (golden spiral)."""
    k = np.arange(4000) + 0.5
    height, azimuth = 1 - k / 2000, np.pi * (1 + 5**0.5) * k
    width = np.sqrt(1 - height**2)
    points = np.column_stack([width * np.cos(azimuth), width * np.sin(azimuth), height])
    wrong = np.sum(points @ Z.T <= 0, axis=1)
    middle = unit_vector(points[wrong == wrong.min()].mean(axis=0) + 1e-9)
    aside = np.cross(middle, np.eye(3)[int(np.argmin(np.abs(middle)))])
    # With few examples version space would fill the picture: look at its edge.
    return unit_vector(middle + (0.3 if len(Z) > 2 else 1.5) * unit_vector(aside))


def view_basis(front: Array) -> Array:
    """Rows: to the right, upwards, towards the viewer."""
    aside = np.eye(3)[int(np.argmin(np.abs(front)))]
    right = unit_vector(np.cross(aside, front))
    return np.array([right, np.cross(front, right), front])


def _sphere_image(Z: Array, new: ArrayLike | None, basis: Array) -> Array:
    """The visible half of the sphere as an image, transparent outside of it."""
    from matplotlib.colors import to_rgb

    x, y = np.meshgrid(*[np.linspace(-1, 1, PIXELS)] * 2)
    depth = 1 - x * x - y * y
    w = np.stack([x, y, np.sqrt(np.maximum(depth, 0))], axis=-1) @ basis
    allowed = np.all(w @ Z.T > 0, axis=-1)
    image = np.where(allowed[..., None], to_rgb(LIGHT), to_rgb(DARK))
    if new is not None:
        plus = allowed & (w @ np.asarray(new, dtype=float) > 0)
        image = np.where(plus[..., None], to_rgb(CUT), image)
    # Shading makes the disc look like a sphere.
    image = image * (0.75 + 0.25 * np.sqrt(np.maximum(depth, 0)))[..., None]
    return np.concatenate([image, (depth > 0)[..., None].astype(float)], axis=-1)


def _draw_great_circle(ax: Any, normal: Array, basis: Array, style: str) -> None:
    """Draw the visible half of the great circle orthogonal to `normal`."""
    n = basis @ unit_vector(normal)
    first = unit_vector([-n[1], n[0], 0.0]) if np.hypot(n[0], n[1]) > 1e-12 else np.array([1.0, 0.0, 0.0])
    second = np.cross(n, first)
    second = second if second[2] >= 0 else -second
    t = np.linspace(0, np.pi, 200)[:, None]
    ax.plot(*(np.cos(t) * first + np.sin(t) * second)[:, :2].T, style, color=LINE, lw=1.2)


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
