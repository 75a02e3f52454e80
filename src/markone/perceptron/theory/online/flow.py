"""On-line learning in the limit N -> infinity: the flow of the order parameters.

w <- w + (1/N) f xi S with a fresh example each step. With t = S w.xi/|w| and s = S B.xi

    dR/dalpha   = <f (s - R t)>/|w| - R <f^2>/(2 |w|^2)
    d|w|/dalpha = <f t> + <f^2>/(2 |w|)

ln cot(theta) and ln |w| are integrated as functions of ln alpha: linear at both ends, so that R near 0,
theta near 0 and |w| are accurate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from markone.numerics.arrays import Floats, scalar_or_array

# The flow starts here with the leading power of alpha; the neglected terms are O(sqrt(START)) and
# decay like START/alpha.
START = 1e-24
RTOL = 1e-12


@dataclass(frozen=True)
class Trajectory:
    """g = cot(theta), theta the angle between student and teacher, and the length |w|, at each alpha."""

    alpha: Floats
    g: Floats
    norm: Floats

    @property
    def theta(self) -> Floats:
        return np.arctan2(1.0, self.g)

    @property
    def R(self) -> Floats:
        return np.sin(np.arctan(self.g))

    @property
    def Q(self) -> Floats:
        return self.norm**2

    @property
    def epsilon_g(self) -> Floats:
        return self.theta / np.pi


Rates = Callable[[float, Sequence[float]], Sequence[float]]
# (cot theta, |w|) -> d ln cot(theta)/dalpha, d ln |w|/dalpha
RuleRates = Callable[[float, float], tuple[float, float]]


def rates_from_averages(g: float, l: float, turn: float, ft: float, ff: float) -> tuple[float, float]:
    """From (<f s> - R <f t>)/sin^2(theta), <f t>, <f^2>; d ln g = dR/(R sin^2)."""
    R = g / np.sqrt(1 + g * g)
    return turn / (l * R) - ff * (1 + g * g) / (2 * l * l), ft / l + ff / (2 * l * l)


def follow_rule(rates: RuleRates, begin: tuple[float, float, float, float], a: Floats) -> Trajectory:
    """Trajectory of a rule with cot(theta) = G alpha^p, |w| = D alpha^q at first; `begin` is G, p, D, q."""
    G, p, D, q = begin

    def derivatives(x: float, state: Sequence[float]) -> tuple[float, float]:
        # |w| of scale-free rules grows without limit and does not enter their rates.
        turn, growth = rates(np.exp(state[0]), np.exp(min(state[1], 300.0)))
        return np.exp(x) * turn, np.exp(x) * growth

    states = integrate_flow(derivatives, (np.log(G * START**p), np.log(D * START**q)), a)
    with np.errstate(over="ignore"):
        g, norm = np.exp(states)
    early = a <= START
    return Trajectory(a, np.where(early, G * a**p, g), np.where(early, D * a**q, norm))


def define_flow_curves(trajectory: Callable[..., Trajectory]) -> tuple[Callable[..., Any], ...]:
    """overlap, norm and generalization_error of a rule, with the arguments of its trajectory."""

    def define(name: str, text: str, read: Callable[[Trajectory], Floats]) -> Callable[..., Any]:
        @wraps(trajectory)
        def curve(*args: Any, **named: Any) -> Any:
            return scalar_or_array(read(trajectory(*args, **named)))

        curve.__name__ = curve.__qualname__ = name
        curve.__doc__ = text
        return curve

    return (
        define("overlap", "R(alpha).", lambda t: t.R),
        define("norm", "|w|(alpha), in the scale of the trajectory.", lambda t: t.norm),
        define("generalization_error", "theta/pi: errors on noise-free test labels.", lambda t: t.epsilon_g),
    )


def integrate_flow(rates: Rates, start: Sequence[float], alpha: Floats) -> Floats:
    """Integrate the flow: the state at each alpha (last axis), from `start` at alpha = START.

    `rates(x, state)` are the derivatives with respect to x = ln alpha. Below START the
    result is `start`; the caller inserts its own limit there. NaN where alpha is NaN or infinite: the limits
    are separate functions.
    """
    wanted, where = np.unique(alpha, return_inverse=True)
    states = np.full((len(start), wanted.size), np.nan)
    states[:, wanted <= START] = np.asarray(start)[:, None]
    ahead = (wanted > START) & np.isfinite(wanted)
    if np.any(ahead):
        x = np.log(wanted[ahead])
        # Along the linear start the step would grow without limit and skip the bend.
        control = {"rtol": RTOL, "atol": RTOL, "first_step": 0.1, "max_step": 0.5}
        solution = solve_ivp(rates, (np.log(START), x[-1]), start, "LSODA", t_eval=x, **control)
        if not solution.success:
            raise ArithmeticError(f"The flow stopped before alpha = {np.exp(x[-1]):g}: {solution.message}")
        states[:, ahead] = solution.y
    return states[:, where.reshape(alpha.shape)]
