"""`theory.solve`: the fixed point of examples' and weights' side, for a whole curve at once.

Unknown are ln m, ln s, ln V (and b). A few damped iterations give the start of Newton's method; what it does
not find is continued from a large penalty. Every root is checked with twice the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.roots import newton_roots
from markone.perceptron.theory.engine import channels, clusters, penalties
from markone.perceptron.theory.engine import inputs as input_laws
from markone.perceptron.theory.engine.losses import Loss, find_loss
from markone.perceptron.theory.engine.separability import find_separable_alpha
from markone.perceptron.theory.engine.solution import Solution
from markone.perceptron.theory.engine.worlds import (
    RegressionWorld,
    State,
    TeacherWorld,
    TwoGaussiansWorld,
    World,
    average_forces,
    fresh_label_error,
    observe_training,
)

# Nodes per panel, and of the check.
NODES, FINE, COARSE = 20, 40, 10
# Largest residual of the check.
RESIDUAL = 1e-9
SEPARABLE = "separable: the minimiser runs away; its direction tends to optimal stability. Use a penalty"
INTERPOLATION = "alpha <= 1 without penalty: the minimiser is not unique. Use a penalty"
NOT_FOUND = "no root was found"


@dataclass(frozen=True)
class Problem:
    """A loss, a world of examples, a law of weights and whether b is fitted."""

    loss: Loss
    world: World
    weights: penalties.Spectrum | penalties.ElasticNet
    intercept: bool
    family: str

    def state_of(self, x: Array, noise: Array) -> State:
        b = x[3] if self.intercept else np.zeros_like(noise)
        m, s, V = np.exp(x[:3])
        return State(m, s, V, b, noise, self.weights.rho)

    def update_weights(
        self, state: State, alpha: Array, l1: Array, l2: Array, n: int
    ) -> tuple[penalties.Weights, Array]:
        """The weights that follow from a state, and the step of b."""
        found = average_forces(self.world, self.loss, state, n)
        hats = (alpha * found.force_along, alpha * found.force2, alpha * found.stiffness)
        return self.weights.update_weights(hats, l1, l2), found.force_b / found.stiffness

    def log_residuals(self, x: Array, *args: Array, n: int = NODES) -> Array:
        """Logarithms of new to old m, s, V, and the step of b in units of the field."""
        alpha, noise, l1, l2 = args
        state = self.state_of(x, noise)
        new, step = self.update_weights(state, alpha, l1, l2, n)
        rows = [np.log(new.m / state.m), np.log(new.s / state.s), np.log(new.V / state.V)]
        return np.stack([*rows, step / np.sqrt(state.q)] if self.intercept else rows)


def solve(
    alpha: ArrayLike,
    loss: Any = "logistic",
    penalty: Any = 1.0,
    teacher: Any = "sign",
    noise: ArrayLike = 0.0,
    inputs: Any = None,
    prior: str = "gauss",
    intercept: bool = False,
    kinks: Sequence[float] = (),
) -> Solution:
    """Return the exact learning curve of a convex student in a world of one's own, N -> infinity.

    The student minimises sum_mu l(y, w.x + b) + sum_i (l1 |W_i| + l2 W_i^2/2) with W = sqrt(N) w; b is not
    penalised. The arguments alpha, noise, l1 and l2 broadcast.

    Parameters
    ----------
    alpha : array-like
        Examples per weight P/N.
    loss : str, callable or Loss
        logistic, exponential, hinge, squared_hinge or square (both with 1/2), or a formula or a function of
        the margin E = y h. For a linear teacher square, absolute, huber(1), quantile(0.5), or of the
        residual u. A function that does not accept jets is differentiated numerically: about seven digits.
    penalty : float or dict
        l2, or {"l1": ..., "l2": ...}, or {"gamma": 1/l2}.
    teacher : str or object
        sign, probit(sigma), logistic(beta), threshold(theta), flips(plus, minus), linear, or one of `Sign`,
        `Logistic`, `Linear`. Not used if the inputs carry their labels.
    noise : array-like
        Probability of a flipped label; for a linear teacher the variance of the noise on y.
    inputs : None, Covariance, TwoGaussians or Clusters
        Law of the inputs; None for independent components of variance one.
    prior : str
        Law of the teacher's weights, gauss, sparse(d) or binary; it matters with l1 only.
    intercept : bool
        Fit b.
    kinks : sequence of float
        Where the slope of a loss given as a function jumps.

    Returns
    -------
    Solution
        The curve, with a reason where there is none.

    Examples
    --------
    >>> from markone import theory
    >>> c = theory.solve([1.0, 2.0], loss="max(0, 1-E)", penalty={"l2": 0.5}, noise=0.1)
    >>> c.epsilon_g.round(4)
    array([0.3662, 0.3002])
    """
    l1, l2 = penalties.read_penalty(penalty)
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (alpha, noise, l1, l2)))
    shape, flat = arrays[0].shape, tuple(a.ravel().copy() for a in arrays)
    if not (np.isfinite(flat[0]) & (flat[0] >= 0)).all():
        raise ValueError("alpha must be a number, at least 0.")
    if isinstance(inputs, input_laws.Clusters):
        if flat[2].any() or flat[1].any():
            raise ValueError("Clusters have neither an l1 penalty nor noise: the equations hold for l2 only.")
        return clusters.solve_clusters(
            inputs, find_loss(loss, False, kinks), flat[0], flat[3], intercept, shape
        )
    problem = _set_up_problem(find_world(teacher, inputs, intercept), loss, inputs, prior, flat, kinks)
    return _solve_problem(problem, flat, shape)


def find_world(teacher: Any, inputs: Any, intercept: bool) -> tuple[World, str, bool]:
    """The world of examples, its name and whether b is fitted."""
    if isinstance(inputs, input_laws.TwoGaussians):
        p = inputs.p_plus
        return TwoGaussiansWorld(((1.0, p), (-1.0, 1 - p))), "two Gaussians", intercept
    found = channels.find_teacher(teacher)
    name = f"teacher {found.name}"
    if isinstance(found, channels.Linear):
        return RegressionWorld(found), name, intercept
    once = found.is_symmetric and not intercept
    return TeacherWorld(found, ((1.0, 2.0),) if once else ((1.0, 1.0), (-1.0, 1.0))), name, intercept


def _set_up_problem(
    found: tuple[World, str, bool], loss: Any, inputs: Any, prior: str, flat: tuple[Array, ...], kinks: Any
) -> Problem:
    world, name, intercept = found
    own = find_loss(loss, isinstance(world, RegressionWorld), kinks)
    sparse = bool(flat[2].any())
    law: penalties.Spectrum | penalties.ElasticNet
    if inputs is None:
        law = penalties.find_prior(prior)
        law = law if sparse else penalties.ISOTROPIC
    elif isinstance(inputs, input_laws.Covariance | input_laws.TwoGaussians):
        law = inputs.spectrum()
        if sparse:
            raise ValueError(
                "An l1 penalty with a covariance does not close in a few order parameters: the penalty is "
                "not invariant under rotation. Use l2, or independent inputs."
            )
    else:
        raise ValueError(f"inputs must be None, Covariance, TwoGaussians or Clusters, not {inputs!r}.")
    if isinstance(world, TwoGaussiansWorld):
        if flat[1].any():
            raise ValueError(
                "Two Gaussians have no noise of labels; use a teacher, or overlap the clouds more."
            )
    else:
        channels.check_teacher_noise(world.teacher, flat[1])  # type: ignore[attr-defined]
    where = "independent inputs" if inputs is None else type(inputs).__name__
    words = [f"loss {own.text}", name, where, "l1 + l2" if sparse else "l2", *["b fitted"] * intercept]
    return Problem(own, world, law, intercept, ", ".join(words))


def _refuse_points(problem: Problem, flat: tuple[Array, ...]) -> Array:
    """Why a point has no solution, known before solving; empty texts elsewhere."""
    alpha, noise, l1, l2 = flat
    reason = np.full(alpha.shape, "", dtype=object)
    free = (l1 == 0) & (l2 == 0) & (alpha > 0)
    if free.any() and (problem.loss.is_residual or problem.loss.grows_at_both_ends):
        reason[free & (alpha <= 1)] = INTERPOLATION
    elif free.any():
        spectrum = problem.weights
        limit = find_separable_alpha(problem.world, noise[free], problem.intercept, spectrum.rho)
        reason[np.flatnonzero(free)[alpha[free] <= limit]] = SEPARABLE
    return reason


def _find_roots(problem: Problem, args: tuple[Array, ...]) -> Array:
    """Unknowns (d, m); NaN where no root was found."""
    d, m = 3 + problem.intercept, args[0].size
    x = np.tile(np.log([[0.3], [0.5], [1.0], [1.0]][:d]), m)
    x = _iterate_damped(problem, x, args, 12)
    fine = partial(problem.log_residuals, n=NODES)
    found = newton_roots(fine, x, args).x
    lost = np.isnan(found[0])
    if lost.any():
        rest = tuple(a[lost] for a in args)
        found[:, lost] = newton_roots(fine, _iterate_damped(problem, x[:, lost], rest, 200), rest, steps=80).x
    lost = np.isnan(found[0])
    if lost.any():
        found[:, lost] = _continue_in_penalty(problem, x[:, lost], tuple(a[lost] for a in args))
    return found


def _iterate_damped(problem: Problem, x: Array, args: tuple[Array, ...], times: int) -> Array:
    with np.errstate(all="ignore"):
        for _ in range(times):
            step = np.clip(0.5 * problem.log_residuals(x, *args, n=COARSE), -2, 2)
            if problem.intercept:
                step[3] *= np.sqrt(problem.state_of(x, args[1]).q)
            x = x + np.where(np.isfinite(step), step, 0.0)
    return x


def _continue_in_penalty(problem: Problem, start: Array, args: tuple[Array, ...]) -> Array:
    """From l2 = 10 down, by factors of 3, with the last root as the next start."""
    alpha, noise, l1, l2 = args
    x, target = start.copy(), np.maximum(l2, 1e-9)
    now = np.maximum(target, 10.0)
    while True:
        points = (alpha, noise, l1, np.where(now <= target, l2, now))
        x = _iterate_damped(problem, x, points, 5)
        found = newton_roots(problem.log_residuals, x, points).x
        x = np.where(np.isnan(found), x, found)
        if (now <= target).all():
            return found
        now = np.maximum(target, now / 3)


@np.errstate(all="ignore")
def _solve_problem(problem: Problem, flat: tuple[Array, ...], shape: tuple[int, ...]) -> Solution:
    alpha = flat[0]
    reason = _refuse_points(problem, flat)
    open_ = (reason == "") & (alpha > 0)
    d = 3 + problem.intercept
    x = np.full((d, alpha.size), np.nan)
    if open_.any():
        args = tuple(a[open_] for a in flat)
        x[:, open_] = _find_roots(problem, args)
        check = np.abs(problem.log_residuals(x[:, open_], *args, n=FINE)).max(axis=0)
        bad = np.flatnonzero(open_)[~(check < RESIDUAL)]
        x[:, bad], reason[bad] = np.nan, NOT_FOUND
    return _fill_record(problem, x, flat, reason, shape)


def _fill_record(
    problem: Problem, x: Array, flat: tuple[Array, ...], reason: Array, shape: tuple[int, ...]
) -> Solution:
    """The record, from the unknowns; w = 0 at alpha = 0."""
    alpha, noise, l1, l2 = flat
    world, regression = problem.world, isinstance(problem.world, RegressionWorld)
    ok, nothing = np.isfinite(x[0]), alpha == 0
    names = ("epsilon_g", "epsilon_t", "loss", "mse", "mse_t", "R", "m", "q", "norm", "b", "V")
    out = {name: np.full(alpha.shape, np.nan) for name in (*names, "epsilon_rule", "support", "nonzero")}
    if ok.any():
        state = problem.state_of(x[:, ok], noise[ok])
        training = observe_training(world, problem.loss, state, FINE)
        weights, _ = problem.update_weights(state, alpha[ok], l1[ok], l2[ok], NODES)
        cot = state.m / np.sqrt(problem.weights.rho * state.s)
        out["R"][ok], out["m"][ok], out["q"][ok], out["V"][ok] = (
            cot / np.hypot(1, cot),
            state.m,
            state.q,
            state.V,
        )
        out["norm"][ok], out["b"][ok], out["nonzero"][ok] = np.sqrt(weights.norm2), state.b, weights.nonzero
        out["loss"][ok], out["support"][ok] = training.loss, training.support
        if isinstance(world, RegressionWorld):
            out["mse"][ok], out["mse_t"][ok] = world.mean_square(state) + state.b**2, training.square
        else:
            out["epsilon_t"][ok], out["epsilon_g"][ok] = (
                training.epsilon_t,
                fresh_label_error(world, state, FINE),
            )
            if isinstance(world, TeacherWorld) and world.teacher.threshold == 0:
                out["epsilon_rule"][ok] = np.arctan2(1, cot) / np.pi
    for name in ("m", "q", "norm", "R", "b"):
        out[name][nothing] = 0.0
    for name in ("mse",) if regression else ("epsilon_g", "epsilon_rule"):
        out[name][nothing] = problem.weights.rho if regression else 0.5
    named = {name: values.reshape(shape) for name, values in out.items()}
    texts = reason.astype(str).reshape(shape)
    return Solution(
        alpha.reshape(shape), ok=(ok | nothing).reshape(shape), reason=texts, family=problem.family, **named
    )
