"""`theory.solve`: the fixed point of examples' and weights' side, for a whole curve at once.

Unknown are ln m, ln s, ln V (and b). A few damped iterations give the start of Newton's method; what it does
not find is continued from a large penalty. Every root is checked with twice the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.roots import newton_roots
from markone.perceptron.theory.engine import channels, clusters, penalties
from markone.perceptron.theory.engine import inputs as input_laws
from markone.perceptron.theory.engine.finite_size import correct_for_size
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

# Nodes per panel, of a start and of the solution; a root is checked with twice the nodes and, if it fails,
# improved with these.
COARSE, NODES, MOST_NODES = 10, 20, 80
# Largest residual of the check.
RESIDUAL = 1e-9
# Least ratio of new to old m in an iteration.
TURNED = 0.05
SEPARABLE = "separable: the minimiser runs away; its direction tends to optimal stability. Use a penalty"
INTERPOLATION = "alpha <= 1 without penalty: the minimiser is not unique. Use a penalty"
NOT_FOUND = "no root was found"
VANISHING = "the minimiser tends to w = 0: the penalty is too large, or b alone explains unbalanced labels"
RECOVERED = "the minimiser is the teacher: the error vanishes"
NO_INTERCEPT = (
    "b is not determined: the loss is linear at all examples. Use a smaller penalty, or no intercept"
)


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
        """The weights that follow from a state, and the step of b in units of the field.

        In units of 1e-3 b, or of the range of the loss, if the field is much smaller: b has 16 digits only.
        The step is NaN where no force depends on b.
        """
        found = average_forces(self.world, self.loss, state, n)
        hats = (alpha * found.force_along, alpha * found.force2, alpha * found.stiffness)
        pull = np.sqrt(found.force2)
        unit = np.sqrt(state.q) + 1e-3 * (np.abs(state.b) + pull / found.stiffness)
        step = np.where(found.stiffness > 1e-10 * pull, found.force_b / found.stiffness / unit, np.nan)
        return self.weights.update_weights(hats, l1, l2), step

    def log_residuals(self, x: Array, *args: Array, n: int = NODES) -> Array:
        """Logarithms of new to old m, s, V, and the step of b."""
        alpha, noise, l1, l2 = args
        state = self.state_of(x, noise)
        new, step = self.update_weights(state, alpha, l1, l2, n)
        # An m beyond the root may even be turned back.
        along = np.log(np.maximum(new.m / state.m, TURNED))
        rows = [along, np.log(new.s / state.s), np.log(new.V / state.V)]
        return np.stack([*rows, step] if self.intercept else rows)


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
    N: int | None = None,
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
    inputs : None, Covariance, RandomFeatures, TwoGaussians or Clusters
        Law of the inputs; None for independent components of variance one.
    prior : str
        Law of the teacher's weights, gauss, sparse(d) or binary; it matters with l1 only.
    intercept : bool
        Fit b.
    kinks : sequence of float
        Where the slope of a loss given as a function jumps.
    N : int, optional
        Number of inputs of a finite system: epsilon_g, epsilon_rule or mse are those at N where a law is
        known (least squares without penalty); elsewhere the limit stays, and `note` says so.

    Returns
    -------
    Solution
        The curve, with a reason where there is none.

    Examples
    --------
    >>> from markone import theory
    >>> c = theory.solve([1.0, 2.0], loss="max(0, 1-E)", penalty={"l2": 0.5}, noise=0.1)
    >>> c.epsilon_g.round(4)
    array([0.352 , 0.3002])
    """
    again = partial(
        solve, loss=loss, penalty=penalty, teacher=teacher, noise=noise, inputs=inputs, prior=prior,
        intercept=intercept, kinks=kinks, N=N,
    )  # fmt: skip
    l1, l2 = penalties.read_penalty(penalty)
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (alpha, noise, l1, l2)))
    shape, flat = arrays[0].shape, tuple(a.ravel().copy() for a in arrays)
    if not (np.isfinite(flat[0]) & (flat[0] >= 0)).all():
        raise ValueError("alpha must be a number, at least 0.")
    if isinstance(inputs, input_laws.Clusters):
        if flat[2].any() or flat[1].any():
            raise ValueError("Clusters have neither an l1 penalty nor noise: the equations hold for l2 only.")
        own = find_loss(loss, False, kinks)
        found = clusters.solve_clusters(inputs, own, flat[0], flat[3], intercept, shape)
    else:
        problem = _set_up_problem(find_world(teacher, inputs, intercept), loss, inputs, prior, flat, kinks)
        found = _solve_problem(problem, flat, shape)
    found = replace(found, again=again)
    return (
        found if N is None else correct_for_size(found, N, (loss, penalty, teacher, noise, inputs, intercept))
    )


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
    elif isinstance(inputs, input_laws.Covariance | input_laws.TwoGaussians | input_laws.RandomFeatures):
        law = inputs.spectrum()
        if sparse:
            raise ValueError(
                "An l1 penalty with a covariance does not close in a few order parameters: the penalty is "
                "not invariant under rotation. Use l2, or independent inputs."
            )
    else:
        raise ValueError(
            f"inputs must be None, Covariance, RandomFeatures, TwoGaussians or Clusters, not {inputs!r}."
        )
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


def _find_roots(problem: Problem, args: tuple[Array, ...]) -> tuple[Array, Array]:
    """Unknowns (d, m), NaN where no root was found, and the reasons for that."""
    m = args[0].size
    scale = problem.loss.scale
    units = [0.3 * scale, 0.5 * scale**2, scale / problem.loss.force, 1.0]
    start = np.tile(np.log(units)[: 3 + problem.intercept, None], m)
    start = _iterate_damped(problem, start, args, 12)
    x = newton_roots(problem.log_residuals, start, args).x
    reason = np.full(m, "", dtype=object)
    for rescue in (_rescue_by_iteration, _continue_in_penalty):
        lost = np.isnan(x[0]) & ((reason == "") | (reason == NOT_FOUND))
        if lost.any():
            rest = tuple(a[lost] for a in args)
            x[:, lost], reason[lost] = rescue(problem, start[:, lost], rest)
    return x, np.where(np.isnan(x[0]), reason, "")


def _rescue_by_iteration(problem: Problem, start: Array, args: tuple[Array, ...]) -> tuple[Array, Array]:
    """Newton's method from a state after many damped iterations, first long and then short ones."""
    x = _iterate_damped(problem, start, args, 100)
    x = _iterate_damped(problem, x, args, 150, 0.15)
    return newton_roots(partial(problem.log_residuals, n=2 * NODES), x, args, steps=80).x, _explain_failures(
        problem, x, args
    )


def _explain_failures(problem: Problem, x: Array, args: tuple[Array, ...]) -> Array:
    """Why damped iterations end without a root: w vanishes, with all of its scale, or b is free."""
    step = problem.log_residuals(x, *args)
    along, width, response = step[:3]
    scaling = (along < 0) & (np.abs(width - 2 * along) + np.abs(response - along) < 0.05 * np.abs(along))
    vanishing = (x[0] < -100) | (scaling & (problem.state_of(x, args[1]).q < 1e-2))
    free = problem.intercept and ~np.isfinite(step[-1]) & (np.abs(step[:3]).max(axis=0) < 1e-3)
    found = np.where(vanishing, VANISHING, np.where(free, NO_INTERCEPT, NOT_FOUND)).astype(object)
    if isinstance(problem.world, RegressionWorld):
        found[problem.world.mean_square(problem.state_of(x, args[1])) < 1e-9] = RECOVERED
    return found


def _check_roots(problem: Problem, x: Array, reason: Array, args: tuple[Array, ...]) -> tuple[Array, Array]:
    """The roots whose residual with twice the nodes is small, improved with more nodes if it is not."""
    nodes, open_ = NODES, np.flatnonzero(reason == "")
    while open_.size:
        rest = tuple(a[open_] for a in args)
        check = np.abs(problem.log_residuals(x[:, open_], *rest, n=2 * nodes)).max(axis=0)
        bad = ~(check < RESIDUAL)
        open_, rest = open_[bad], tuple(a[bad] for a in rest)
        if nodes >= MOST_NODES:
            break
        nodes *= 2
        x[:, open_] = newton_roots(partial(problem.log_residuals, n=nodes), x[:, open_], rest, steps=80).x
    x[:, open_], reason[open_] = np.nan, NOT_FOUND
    return x, reason


def _iterate_damped(
    problem: Problem, x: Array, args: tuple[Array, ...], times: int, factor: float = 0.5
) -> Array:
    with np.errstate(all="ignore"):
        for _ in range(times):
            step = np.clip(factor * problem.log_residuals(x, *args, n=COARSE), -4 * factor, 4 * factor)
            if problem.intercept:
                step[3] *= np.sqrt(problem.state_of(x, args[1]).q)
            x = x + np.where(np.isfinite(step), step, 0.0)
    return x


def _continue_in_penalty(problem: Problem, start: Array, args: tuple[Array, ...]) -> tuple[Array, Array]:
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
            return found, _explain_failures(problem, x, args)
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
        found, why = _find_roots(problem, args)
        x[:, open_], reason[open_] = _check_roots(problem, found, why, args)
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
        training = observe_training(world, problem.loss, state, 2 * NODES)
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
                fresh_label_error(world, state, 2 * NODES),
            )
            if isinstance(world, TeacherWorld) and world.teacher.threshold == 0:
                out["epsilon_rule"][ok] = np.arctan2(1, cot) / np.pi
    for name in ("m", "q", "norm", "R", "b"):
        out[name][nothing] = 0.0
    for name in ("mse",) if regression else ("epsilon_g", "epsilon_rule"):
        out[name][nothing] = problem.weights.rho if regression else 0.5
    named: dict[str, Any] = {name: values.reshape(shape) for name, values in out.items()}
    texts = reason.astype(str).reshape(shape)
    return Solution(
        alpha.reshape(shape), ok=(ok | nothing).reshape(shape), reason=texts, family=problem.family, **named
    )
