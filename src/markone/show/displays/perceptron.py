"""Display of a student: boundary, margin, support vectors, updates   (Figs. 3.3, 3.4, 3.9, 4.1)."""

from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.history import History
from markone.base.plot_style import (
    BAND,
    GREY,
    THIRD,
    annotate_point,
    class_styles,
    draw_line,
    draw_vector,
    format_label,
    ink_colour,
    single_axes,
    square_around,
)
from markone.numerics.arrays import Array
from markone.show.histories import split_inputs_weights
from markone.show.projection import (
    GRID,
    curved_boundary,
    display_plane,
    last_updates,
    linear_boundary,
    support_parts,
)


@dataclass
class PerceptronDisplay:
    """Boundary, margin, examples and updates of a student in the plane.

    Use `PerceptronDisplay.from_estimator` or `from_history`.

    Parameters
    ----------
    points : array (P, 2)
        The examples.
    S : array (P,)
        Their labels, +1 or -1.
    w : array (3,) or None
        (w1, w2, w0), the boundary w1 x1 + w2 x2 + w0 = 0, or None where `field_` curves it.
    level : float, default=0.0
        The potential at the edge of the margin band; 0 draws none.
    strengths : array (P,) or None, default=None
        Embedding strengths, drawn as the size of the markers; None: equal sizes.
    free, clipped : array of int
        Support vectors with 0 < x < gamma and x = gamma.
    steps : array (k, 2, 2)
        Arrows of the last updates, from w before to w after.
    current : int, default=-1
        Index of the presented example; -1: none.
    teacher : array (3,) or None, default=None
        (w1, w2, w0) of the teacher, if known.
    field_ : tuple (x, y, values) or None, default=None
        A decision function on a grid, for students in feature space.
    names : tuple of str, default=('x1', 'x2')
        Names of the two inputs.
    note : str, default=""
        A note for the figure.
    labels : tuple of str, default=('+1', '-1')
        Names of the classes +1 and -1.

    Examples
    --------
    >>> from markone import AdaTron
    >>> from markone.data import two_classes
    >>> from markone.show import PerceptronDisplay
    >>> xi, S, _ = two_classes("dense", 20)
    >>> len(PerceptronDisplay.from_estimator(AdaTron().fit(xi, S), xi, S).free) in (2, 3)
    True
    """

    points: Array
    S: Array
    w: Array | None
    level: float = 0.0
    strengths: Array | None = None
    free: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    clipped: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    steps: Array = field(default_factory=lambda: np.empty((0, 2, 2)))
    current: int = -1
    teacher: Array | None = None
    field_: tuple[Array, Array, Array] | None = None
    names: tuple[str, str] = ("x1", "x2")
    note: str = ""
    labels: tuple[str, str] = ("+1", "-1")

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, teacher: Any = None, arrows: int = 0, ax: Any = None
    ) -> "PerceptronDisplay":
        """Display a fitted student of two classes and its training examples.

        teacher : weights of the rule (N,). arrows : number of last recorded updates to draw.
        More than two inputs are projected, with a note in the figure.
        """
        check_is_fitted(estimator)
        if len(estimator.classes_) != 2:
            raise ValueError(
                f"{type(estimator).__name__} has {len(estimator.classes_)} classes; a boundary is drawn "
                "between two: fit one class against the rest."
            )
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=float)
        S = np.where(np.asarray(y) == estimator.classes_[1], 1, -1)
        labels = (format_label(estimator.classes_[1]), format_label(estimator.classes_[0]))
        linear = hasattr(estimator, "coef_")
        parts = linear_boundary(estimator, X, S, teacher) if linear else curved_boundary(estimator, X)
        parts |= support_parts(estimator, len(X))
        if arrows and X.shape[1] == 2:
            parts["steps"] = last_updates(estimator.history_, arrows)
        return cls(S=S, labels=labels, **parts).plot(ax=ax)

    @classmethod
    def from_history(cls, history: History, row: int = -1, *, ax: Any = None) -> "PerceptronDisplay":
        """Display the student after one row of its history, with the last update."""
        X, W, offsets = split_inputs_weights(history)
        row = range(len(history))[row]
        plane = display_plane(X, W[-1])
        steps, before = np.empty((0, 2, 2)), max(row - 1, 0)
        if history.complete and X.shape[1] == 2 and history["change"][row] != 0:
            steps = np.array([[W[before], W[row]]])
        kept = history.x[row] if "x" in history.states else None
        display = cls(
            plane.points(X),
            np.where(history.S > 0, 1, -1),
            plane.weights(W[row], offsets[row]),
            strengths=kept,
            steps=steps,
            current=int(history["example"][row]),
            names=plane.names,
            note=plane.note,
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Any = None, legend: bool = True) -> "PerceptronDisplay":
        self.ax_, self.figure_ = single_axes(ax, figsize=(4, 4))
        (x, y), reach = square_around(self.points)
        self.ax_.set(xlim=(x - reach, x + reach), ylim=(y - reach, y + reach), aspect="equal")
        self._draw_boundary()
        if self.teacher is not None:
            self.teacher_ = draw_line(
                self.ax_, self.teacher, color=THIRD, lw=1.4, ls=(0, (5, 2)), zorder=3, label="teacher"
            )
        self._draw_examples()
        self._draw_arrows(reach)
        self.ax_.set(xlabel=self.names[0], ylabel=self.names[1])
        if self.note:
            self.ax_.set_title("\n".join(wrap(self.note, 44)), fontsize="small", color=GREY)
        if legend:
            shown = self.ax_.legend(fontsize="small", loc="best", framealpha=0.85)
            for handle in shown.legend_handles:
                # Markers differ in size; in the legend all have the same.
                if hasattr(handle, "set_sizes"):
                    handle.set_sizes([36.0])
        return self

    def _draw_boundary(self) -> None:
        """Draw the boundary and the region between E = -level and E = +level."""
        levels = [-self.level, self.level]
        if self.field_ is not None:
            self.ax_.contour(*self.field_, levels=levels, colors=GREY, linewidths=1, linestyles="--")
            self.boundary_ = self.ax_.contour(*self.field_, levels=[0.0], colors=ink_colour(), linewidths=1.6)
            field = self.field_
        elif self.w is not None:
            self.boundary_ = draw_line(self.ax_, self.w, color=ink_colour(), lw=1.6, zorder=3)
            if not self.level > 0 or not np.any(self.w[:2]):
                return
            look: dict[str, Any] = {"color": GREY, "lw": 1, "ls": "--", "zorder": 2}
            self.margins_ = [draw_line(self.ax_, self.w, level, **look) for level in levels]
            x, y = (np.linspace(a, b, GRID) for a, b in (self.ax_.get_xlim(), self.ax_.get_ylim()))
            field = (x, y, self.w[0] * x[None, :] + self.w[1] * y[:, None] + self.w[2])
        else:
            return
        self.ax_.contourf(*field, levels=levels, colors=[BAND], alpha=0.35, zorder=0)

    def _draw_examples(self) -> None:
        sizes = np.full(len(self.S), 30.0)
        if self.strengths is not None and np.any(self.strengths > 0):
            sizes = 16 + 110 * np.maximum(self.strengths, 0) / np.max(self.strengths)
        self.examples_ = []
        for (sign, edge, mark, fill), name in zip(class_styles(), self.labels, strict=True):
            own = sign == self.S
            self.examples_.append(
                self.ax_.scatter(
                    *self.points[own].T, s=sizes[own], marker=mark, facecolors=fill, edgecolors=edge, lw=1.2,
                    zorder=4, label=name,
                )
            )  # fmt: skip
        for which, style, name in (
            (self.free, "-", "free support vector"),
            (self.clipped, ":", "clipped (x = γ)"),
        ):
            if len(which):
                self.ax_.scatter(
                    *self.points[which].T, s=sizes[which] + 90, marker="o", facecolors="none",
                    edgecolors=ink_colour(), lw=1.3, linestyles=style, zorder=4, label=name,
                )  # fmt: skip
        if np.ptp(sizes) > 0:
            self.ax_.plot([], [], " ", label="size: strength x")
        if self.current >= 0:
            self.ax_.scatter(*self.points[self.current], s=190, marker="o", color="0.75", lw=0, zorder=2)

    def _draw_arrows(self, reach: float) -> None:
        """Draw w from the origin and the last updates, scaled together to fit the axes."""
        if self.w is None or (not len(self.steps) and self.teacher is None and self.current < 0):
            return
        longest = max([np.linalg.norm(self.w[:2]), *np.linalg.norm(self.steps, axis=2).ravel()])
        if longest == 0:
            return
        scale = 0.55 * reach / float(longest)
        if np.any(self.w[:2]):
            self.w_ = draw_vector(self.ax_, (0, 0), scale * self.w[:2])
            annotate_point(self.ax_, scale * self.w[:2], "w")
        for before, after in self.steps:
            draw_vector(self.ax_, scale * before, scale * after, THIRD, 1.4, linestyle="--")
