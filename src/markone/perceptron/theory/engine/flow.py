"""On-line learning with a modulation of one's own: the flow of R and Q = |w|^2, N -> infinity.

w <- (1 - decay/N) w + (1/N) f y x with a fresh example each step and a drifting teacher. With E = y w.x and
the label's probability Z given the field h = y E, dZ/dm0 = Z' (channels):
  dR/dalpha = (1 - R^2) sum_y y <f Z'>_h/|w| - R <f^2>/(2 Q) - drift R
  dQ/dalpha = 2 <f E> + <f^2> - 2 decay Q
Integrated are cot(theta) and ln Q.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from markone.numerics.arrays import Array, check_at_least
from markone.numerics.gaussian import panel_quadrature
from markone.perceptron.theory.engine.breaks import find_jumps
from markone.perceptron.theory.engine.channels import Linear, Teacher, check_teacher_noise, find_teacher
from markone.perceptron.theory.engine.formula import parse_formula
from markone.perceptron.theory.engine.worlds.world import State, TeacherWorld

NODES = 24
# Length of w at the start of tabula rasa.
SMALL = 1e-10
# Evaluations of the rates, and ln Q, beyond which a rule is taken to diverge; ordinary flows need a thousand.
MAX_CALLS, LARGEST = 20_000, 100.0

Modulation = Callable[..., Array]


@dataclass(frozen=True)
class OnlineCurve:
    """R, Q = |w|^2, the errors on the teacher's labels (epsilon_g) and on its rule (arccos(R)/pi)."""

    alpha: Array
    R: Array
    Q: Array
    epsilon_g: Array
    epsilon_rule: Array
    family: str = ""
    again: Callable[..., Any] | None = field(default=None, repr=False, compare=False)
    equations: ClassVar[str] = (
        "dR/dalpha = (1 - R^2) sum_y y <f Z'>/|w| - R <f^2>/(2 Q) - drift R, dQ/dalpha = 2 <f E> + <f^2>"
        " - 2 decay Q; exact for N -> infinity."
    )

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each alpha."""
        import pandas as pd

        names = ("alpha", "R", "Q", "epsilon_g", "epsilon_rule")
        return pd.DataFrame({name: np.ravel(getattr(self, name)) for name in names})

    @property
    def norm(self) -> Array:
        """|w|."""
        return np.sqrt(self.Q)

    def at(self, alpha: ArrayLike) -> "OnlineCurve":
        """The same rule and world at other alpha."""
        assert self.again is not None
        found: OnlineCurve = self.again(alpha)
        return found


@dataclass(frozen=True)
class Flow:
    """Rates of change of (cot, ln Q) for a modulation f(E, alpha, R, Q)."""

    f: Modulation
    jumps: tuple[float, ...]
    world: TeacherWorld
    noise: float
    drift: float
    decay: float
    calls: Iterator[int] = field(default_factory=count, compare=False)

    def _state(self, R: float, Q: float) -> State:
        one = np.ones(1)
        return State(R * np.sqrt(Q) * one, Q * (1 - R * R) * one, one, 0 * one, self.noise * one, 1.0)

    def rates(self, alpha: float, y: Array) -> list[float]:
        if next(self.calls) == MAX_CALLS or not y[1] < LARGEST:
            raise ArithmeticError(
                f"The rule diverges at alpha = {alpha:.4g}, or its flow is too fast to be followed: "
                "choose a smaller rate, or a modulation that is bounded."
            )
        cot, Q = y[0], np.exp(y[1])
        R, norm = cot / np.hypot(1, cot), np.sqrt(Q)
        # A direction is needed for the edges of panels only.
        state = self._state(max(R, 1e-8), Q)
        along, work, square = 0.0, 0.0, 0.0
        for label, share in self.world.labels:
            edges = self.world.panel_edges(state, label)
            fixed = np.clip(np.array([0.0, *self.jumps]), edges[0, 0], edges[0, -1])
            E, dE = panel_quadrature(np.sort(np.append(edges[0], fixed)), NODES)
            p, turn = (
                share * d[0] * dE for d in self.world.field_densities(self._state(R, Q), label, E[None])
            )
            f = np.asarray(self.f(E, alpha=alpha, R=R, Q=Q))
            along, work, square = (
                along + (turn * f).sum(),
                work + (p * f * E).sum(),
                square + (p * f * f).sum(),
            )
        sin2 = 1 / (1 + cot * cot)
        dR = sin2 * along / norm - R * square / (2 * Q) - self.drift * R
        return [float(dR / sin2**1.5), float((2 * work + square) / Q - 2 * self.decay)]

    def label_errors(self, cot: Array, Q: Array) -> Array:
        """Errors on the teacher's labels; 1/2 where nothing is learned."""
        error, learned = np.full(cot.shape, 0.5), cot > 0
        tangent, Q = 1 / cot[learned], Q[learned]
        one = np.ones_like(Q)
        s = Q / (1 + tangent**-2)
        state = State(np.sqrt(s) / tangent, s, one, 0 * one, self.noise * one, 1.0)
        error[learned] = self.world.fresh_label_error(state, 2 * NODES)
        return error


def online(
    alpha: ArrayLike,
    f: str | Modulation = "1",
    teacher: Any = "sign",
    noise: float = 0.0,
    drift: float = 0.0,
    decay: float = 0.0,
    start: tuple[float, float] | None = None,
) -> OnlineCurve:
    """Return the learning curve of an on-line rule with a modulation of one's own, N -> infinity.

    Parameters
    ----------
    alpha : array-like
        Examples per weight.
    f : str or callable
        Modulation of w <- w + (1/N) f y x: a formula in E, alpha, R and Q, or a function f(E, alpha, R, Q).
    teacher : str or object
        A teacher of labels, as in `solve`.
    noise : float
        Probability of a flipped label.
    drift : float
        The teacher's overlap with its past decays as exp(-drift alpha).
    decay : float
        Weight decay: w loses the fraction decay/N in each step.
    start : tuple of float, optional
        R and Q at alpha = 0; w = 0 if None. A modulation that vanishes on both sides of E = 0 needs one.

    Returns
    -------
    OnlineCurve
        R, Q and the errors.

    Examples
    --------
    >>> from markone import theory
    >>> theory.online([1.0, 8.0], f="expit(-E)", noise=0.1).R.round(4)
    array([0.55  , 0.8927])
    """
    found = find_teacher(teacher)
    if isinstance(found, Linear):
        raise ValueError("On-line flows are for teachers of labels; a linear teacher has none.")
    check_teacher_noise(found, np.asarray(noise, dtype=float))
    values = check_at_least(0, "alpha", alpha)
    if drift < 0 or decay < 0 or not np.isfinite(values).all():
        raise ValueError("alpha must be finite, and drift and decay at least 0.")
    modulation = _read_modulation(f)
    R, Q = _check_start(start, modulation)
    jumps = tuple(x for x, _, _ in find_jumps(lambda E: modulation(E, alpha=1.0, R=0.5, Q=1.0)))
    flow = Flow(modulation, jumps, _world_of(found), float(noise), float(drift), float(decay))
    wanted, where = np.unique(values, return_inverse=True)
    if not wanted.size:
        return OnlineCurve(values, values, values, values, values)
    solution = solve_ivp(
        flow.rates, (0.0, float(wanted[-1])), [R / np.sqrt(1 - R * R), np.log(Q)], "LSODA",
        t_eval=wanted, rtol=1e-10, atol=1e-12, first_step=min(1e-12, float(wanted[-1]) or 1e-12),
    )  # fmt: skip
    if not solution.success or not np.isfinite(solution.y).all():
        raise ArithmeticError(f"The flow stopped: {solution.message}")
    cot, log_Q = solution.y[:, where.reshape(values.shape)]
    angle = np.arctan2(1, cot) / np.pi
    label = flow.label_errors(cot, np.exp(log_Q))
    again = partial(
        online, f=f, teacher=teacher, noise=noise, drift=drift, decay=decay, start=start
    )  # fmt: skip
    return OnlineCurve(
        values, cot / np.hypot(1, cot), np.exp(log_Q), label, angle, f"f = {f}, teacher {found.name}", again
    )


def _world_of(teacher: Teacher) -> TeacherWorld:
    return TeacherWorld(teacher, ((1.0, 2.0),) if teacher.is_symmetric else ((1.0, 1.0), (-1.0, 1.0)))


def _read_modulation(f: str | Modulation) -> Modulation:
    if callable(f):
        return f
    formula = parse_formula(str(f), ("E", "alpha", "R", "Q"))
    return lambda E, **others: formula.evaluate_jet(E, **others)[0]


def _check_start(start: tuple[float, float] | None, f: Modulation) -> tuple[float, float]:
    if start is None:
        # From w = 0 potentials of both signs follow, whatever is learned at E = 0 itself.
        both = np.array([-SMALL, 0.0, SMALL])
        if not np.asarray(f(both, alpha=0.0, R=0.0, Q=SMALL)).max() > 1e-6:
            raise ValueError("The modulation vanishes at E = 0, so that w = 0 stays: give start=(R, Q).")
        return 0.0, SMALL
    R, Q = start
    if not (-1 < R < 1 and Q > 0):
        raise ValueError(f"start must be R in (-1, 1) and Q > 0, not {start}.")
    return float(R), float(Q)
