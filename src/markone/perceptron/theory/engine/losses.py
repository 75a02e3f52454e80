"""Convex losses of a student: by name, as a formula in E (margin) or u (residual), or as a function.

A loss gives (l, l', l'') at many points, its kinks (where l' jumps) and edges between which it is smooth.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.text import suggestion_text
from markone.perceptron.theory.engine.breaks import CELLS, FARTHEST, POLES, Derivatives, Kinks, find_breaks
from markone.perceptron.theory.engine.formula import Jet, parse_formula

# Losses are checked for convexity on this interval.
REACH_OF_SCAN = 60.0
# Curvature of a kink: infinite, but finite in products with V.
STEEP = 1e200
# Step of the differences for functions that do not accept jets: about seven digits remain.
STEP = 1e-4


@dataclass(frozen=True)
class Loss:
    """(l, l', l'') as a function, kinks (position, l' left, l' right), edges, and the variable E or u."""

    text: str
    derivatives: Derivatives
    kinks: Kinks = ()
    edges: tuple[float, ...] = ()
    variable: str = "E"

    @property
    def is_residual(self) -> bool:
        return self.variable == "u"

    def slopes_at(self, x: float) -> tuple[float, float]:
        """l' left and right of x."""
        for position, left, right in self.kinks:
            if abs(position - x) < 1e-12:
                return left, right
        slope = float(self.derivatives(np.array([float(x)]))[1][0])
        return slope, slope

    @cached_property
    def scale(self) -> float:
        """Of a margin: the E at which the force -l' has fallen to half of that at 0; of a residual 1."""
        E = np.geomspace(1e-3, FARTHEST, 200)
        weak = self.derivatives(E)[1] >= -0.5 * self.force
        return 1.0 if self.is_residual or not weak.any() else float(E[np.argmax(weak)])

    @cached_property
    def table(self) -> tuple[Array, Array]:
        """E, rising, and l' there, twice at a kink: brackets of the field after learning."""
        away = np.sinh(np.linspace(-1, 1, 256) * np.arcsinh(1e15)) / 1e3
        smooth = np.setdiff1d(np.append(away, self.edges), [k for k, _, _ in self.kinks])
        with np.errstate(all="ignore"):
            points = [*zip(smooth, self.derivatives(smooth)[1], strict=True)]
        points += [(k, slope) for k, *both in self.kinks for slope in both]
        E, slopes = np.array(sorted(points)).T
        # Where a product overflows.
        slopes = np.where(np.isnan(slopes), np.sign(E) * np.inf, slopes)
        return E, np.fmax.accumulate(slopes)

    @cached_property
    def pieces(self) -> list[tuple[float, float, float, float, float]]:
        """Of a piecewise quadratic loss (start, l' there, anchor, l' there, l'') of each piece, else empty.

        A kink is a piece of infinite l''. The anchor is the end at which l' is smaller: without rounding.
        """
        kinks = {k: (left, right) for k, left, right in self.kinks}
        at = np.unique([*self.edges, *kinks])
        ends = np.concatenate([[-FARTHEST], at, [FARTHEST]])
        inside = ends[:-1] + np.diff(ends) * np.array([[0.01], [0.3], [0.9]])
        with np.errstate(all="ignore"):
            _, slope, curvature = self.derivatives(inside)
            sides = [kinks.get(k, (s, s)) for k, s in zip(at, self.derivatives(at)[1].tolist(), strict=True)]
            straight = np.abs(curvature - curvature[0]) <= 1e-13 * np.abs(curvature[0])
            level = np.abs(np.diff(slope, axis=0) - curvature[0] * np.diff(inside, axis=0))
        if not straight.all() or not (level <= 1e-11 * (1 + np.abs(slope[1:]))).all():
            return []
        found: list[tuple[float, float, float, float, float]] = []
        start, first, bent = -np.inf, np.nan, float(curvature[0, 0])
        for k, (left, right), after in zip(at.tolist(), sides, curvature[0, 1:].tolist(), strict=True):
            if left == right and bent == after:
                continue
            near = (start, first) if abs(first) < abs(left) else (k, left)
            found.append((start, first, *near, bent))
            if left != right:
                found.append((k, left, k, 0.0, STEEP))
            start, first, bent = k, right, after
        if start == -np.inf:
            return [(start, first, -self.slopes_at(0.0)[0] / bent, 0.0, bent)] if bent else []
        return [*found, (start, first, start, first, bent)]

    @cached_property
    def zero(self) -> list[tuple[float, float]]:
        """E = 0 and l' on both sides."""
        return [(0.0, slope) for slope in self.slopes_at(0.0)]

    @property
    def force(self) -> float:
        """-l' at E = 0; of a residual 1."""
        return 1.0 if self.is_residual else -self.slopes_at(0.0)[0]

    @property
    def grows_at_both_ends(self) -> bool:
        return self.slopes_at(-REACH_OF_SCAN)[0] < 0 < self.slopes_at(REACH_OF_SCAN)[1]


def _polynomial_piece(below: Array, x: Array, slope: Array, curvature: float) -> tuple[Array, Array, Array]:
    """l = slope x + curvature x^2/2 where `below`, else 0."""
    value = np.where(below, slope * x + curvature * x * x / 2, 0.0)
    return value, np.where(below, slope + curvature * x, 0.0), np.where(below, curvature, 0.0)


def _evaluate_logistic(E: Array) -> tuple[Array, Array, Array]:
    v, rest = expit(-E), expit(E)
    return np.logaddexp(0, -E), -v, v * rest


def _evaluate_exponential(E: Array) -> tuple[Array, Array, Array]:
    with np.errstate(over="ignore"):
        y = np.exp(-E)
    return y, -y, y


def _evaluate_square(x: Array) -> tuple[Array, Array, Array]:
    return x * x / 2, x, np.ones_like(x)


def _evaluate_hinge(E: Array) -> tuple[Array, Array, Array]:
    return _polynomial_piece(E < 1, E - 1, np.full_like(E, -1.0), 0.0)


def _evaluate_absolute(u: Array) -> tuple[Array, Array, Array]:
    return np.abs(u), np.sign(u), np.zeros_like(u)


def huber_loss(width: float = 1.0) -> Loss:
    """u^2/2 for |u| <= width, linear beyond."""
    if not width > 0:
        raise ValueError(f"The width of Huber's loss must be positive, not {width}.")

    def evaluate(u: Array) -> tuple[Array, Array, Array]:
        inner = np.clip(u, -width, width)
        return inner * (u - inner / 2), inner, (np.abs(u) < width) * 1.0

    return Loss(f"huber({width:g})", evaluate, edges=(-width, width), variable="u")


def quantile_loss(level: float = 0.5) -> Loss:
    """level u for u > 0, (level - 1) u for u < 0."""
    if not 0 < level < 1:
        raise ValueError(f"The level of the quantile loss must lie between 0 and 1, not {level}.")

    def evaluate(u: Array) -> tuple[Array, Array, Array]:
        slope = level - (u < 0)
        return slope * u, slope, np.zeros_like(u)

    return Loss(f"quantile({level:g})", evaluate, ((0.0, level - 1, level),), variable="u")


MARGIN_LOSSES = {
    "logistic": Loss("logistic", _evaluate_logistic, edges=POLES),
    "exponential": Loss("exponential", _evaluate_exponential, edges=POLES),
    "hinge": Loss("hinge", _evaluate_hinge, ((1.0, -1.0, 0.0),)),
    "squared_hinge": Loss(
        "squared_hinge", lambda E: _polynomial_piece(E < 1, E - 1, np.zeros_like(E), 1.0), edges=(1.0,)
    ),
    "square": Loss("square", lambda E: _evaluate_square(E - 1)),
}
RESIDUAL_LOSSES: dict[str, Callable[..., Loss]] = {
    "square": lambda: Loss("square", _evaluate_square, variable="u"),
    "absolute": lambda: Loss("absolute", _evaluate_absolute, ((0.0, -1.0, 1.0),), variable="u"),
    "huber": huber_loss,
    "quantile": quantile_loss,
}


def read_call(text: str) -> tuple[str, list[float]]:
    """'huber(0.5)' -> ('huber', [0.5]); 'sign' -> ('sign', [])."""
    name, opened, rest = text.strip().partition("(")
    try:
        return name.strip(), [float(word) for word in rest.rstrip(" )").split(",")] if opened else []
    except ValueError:
        return text, []


def find_loss(loss: Any, residual: bool = False, kinks: Sequence[float] = ()) -> Loss:
    """The loss of a name, a formula, a function or a Loss, checked: finite, convex, not flat at zero."""
    if isinstance(loss, str):
        name, numbers = read_call(loss)
        if residual and name in RESIDUAL_LOSSES:
            return RESIDUAL_LOSSES[name](*numbers)
        if not residual and name in MARGIN_LOSSES and not numbers:
            return MARGIN_LOSSES[name]
        known = [*(RESIDUAL_LOSSES if residual else MARGIN_LOSSES)]
        if name.isidentifier() and name == loss.strip() and name not in ("E", "u"):
            raise ValueError(
                f"There is no loss {loss!r} of a {'residual u' if residual else 'margin E'}."
                f"{suggestion_text(name, known)} Known: {', '.join(known)}, or a formula."
            )
        variable = "u" if residual else "E"
        evaluate = parse_formula(loss, (variable,)).evaluate_jet if not re.search(r"\b[yh]\b", loss) else None
        found = Loss(loss, evaluate or _reduce_formula(loss, residual), variable=variable)
    elif isinstance(loss, Loss):
        found = loss
    elif callable(loss):
        found = Loss(
            getattr(loss, "__name__", "function"),
            _differentiate(loss, kinks),
            variable="u" if residual else "E",
        )
    else:
        raise ValueError(f"loss must be a name, a formula or a function, not {loss!r}.")
    jumps, edges = find_breaks(found.derivatives, kinks, found.edges)
    return check_loss(replace(found, kinks=jumps, edges=edges))


def _reduce_formula(text: str, residual: bool) -> Derivatives:
    """A formula in y and h as a loss of E = y h or u = y - h."""
    formula, grid = parse_formula(text, ("h", "y")), np.linspace(-7, 7, 57) + 0.0123

    def at(y: float, x: Array) -> tuple[Array, Array, Array]:
        sign = -1.0 if residual else y
        value, slope, curvature = formula.evaluate_jet((y if residual else 0.0) + sign * x, y=y)
        return value, sign * slope, curvature

    plus, minus = (at(y, grid)[0] for y in (1.0, -1.0))
    if not np.allclose(plus, minus, rtol=1e-12, atol=1e-12, equal_nan=True):
        raise ValueError(
            f"The loss {text!r} is no function of {'the residual y - h' if residual else 'the margin y*h'}: "
            "a loss that differs between labels is not solved."
        )
    return partial(at, 1.0)


def _differentiate(function: Callable[[Any], Any], kinks: Sequence[float]) -> Derivatives:
    """Derivatives of a function: by jets if it accepts them, else by differences on one side of a kink."""

    def by_jets(x: Array) -> tuple[Array, Array, Array]:
        with np.errstate(all="ignore"):
            found = function(Jet(x, np.ones_like(x), np.zeros_like(x)))
        return found.f, found.d1, found.d2

    def by_differences(x: Array) -> tuple[Array, Array, Array]:
        at = x
        for kink in kinks:
            away = x - kink
            at = np.where(np.abs(away) < STEP, kink + np.copysign(STEP, away), at)
        left, value, right = (np.asarray(function(at + shift), dtype=float) for shift in (-STEP, 0.0, STEP))
        slope, curvature = (right - left) / (2 * STEP), (right - 2 * value + left) / STEP**2
        # Differences of a linear piece are rounding errors.
        curvature = np.where(np.abs(curvature) < 1e-6 * (1 + np.abs(slope)), 0.0, curvature)
        slope = np.where(np.abs(slope) < 1e-11 * (1 + np.abs(value)), 0.0, slope)
        back = x - at
        return value + back * slope, slope + back * curvature, curvature

    try:
        by_jets(np.array([-0.3, 0.7]))
    except (TypeError, AttributeError, ValueError):
        return by_differences
    return by_jets


def check_loss(loss: Loss) -> Loss:
    """Raise ValueError unless the loss is finite and convex and, of a margin, falls at zero."""
    grid = np.linspace(-REACH_OF_SCAN, REACH_OF_SCAN, CELLS) + 0.0123456789
    value, slope, curvature = loss.derivatives(grid)
    if not (np.isfinite(value) & np.isfinite(slope) & np.isfinite(curvature)).all():
        at = grid[~(np.isfinite(value) & np.isfinite(slope) & np.isfinite(curvature))][0]
        raise ValueError(f"The loss {loss.text!r} is not finite at {loss.variable} = {at:.3g}.")
    falling = np.flatnonzero(np.diff(slope) < -1e-6 * (1 + np.abs(slope[1:])))
    if falling.size or any(left > right + 1e-9 for _, left, right in loss.kinks):
        at = grid[falling[0]] if falling.size else loss.kinks[0][0]
        raise ValueError(
            f"The loss {loss.text!r} is not convex near {loss.variable} = {at:.3g}: replica symmetry "
            "does not hold and these equations are not exact. Use a convex loss."
        )
    if loss.is_residual:
        if not loss.grows_at_both_ends:
            raise ValueError(f"The loss {loss.text!r} of a residual must grow on both sides of u = 0.")
    elif not loss.slopes_at(0.0)[1] < 0:
        raise ValueError(
            f"The loss {loss.text!r} does not fall at E = 0: w = 0 minimises it together with any penalty. "
            "Give a margin, as in max(0, 1 - E), or fix |w|."
        )
    return loss
