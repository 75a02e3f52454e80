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
from markone.numerics.roots import Roots, newton_roots
from markone.perceptron.theory.engine import channels, clusters, penalties
from markone.perceptron.theory.engine import inputs as input_laws
from markone.perceptron.theory.engine.classes import SOFTMAX, Classes, ClassesWorld
from markone.perceptron.theory.engine.losses import Loss, find_loss
from markone.perceptron.theory.engine.separability import find_separable_alpha
from markone.perceptron.theory.engine.solution import COLUMNS, Solution, correct_for_size
from markone.perceptron.theory.engine.worlds import (
    RegressionWorld,
    State,
    TeacherWorld,
    TwoGaussiansWorld,
    World,
)

LAWS_WITH_SPECTRUM = input_laws.Covariance | input_laws.TwoGaussians | input_laws.RandomFeatures | Classes
# Nodes per panel, of a start and of the solution; a root is checked with twice the nodes and, if it fails,
# improved with these.
COARSE, NODES, MOST_NODES = 6, 12, 96
# Largest residual of the check, and largest change of ln m, ln s, ln V by it.
RESIDUAL, STEP = 1e-9, 1e-10
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
        b = self.loss.scale * np.sinh(x[3]) if self.intercept else np.zeros_like(noise)
        m, s, V = np.exp(x[:3])
        return State(m, s, V, b, noise, self.weights.rho)

    def update_weights(
        self, state: State, alpha: Array, l1: Array, l2: Array, n: int
    ) -> tuple[penalties.Weights, Array, Array]:
        """The weights that follow from a state, the step of b, and the unit of its residual.

        The unit is that of the field, or a tenth of b or of the range of the loss if the field is much
        smaller: b has 16 digits only. The step is NaN where no force depends on b.
        """
        found = self.world.average_forces(self.loss, state, n)
        hats = (alpha * found.force_along, alpha * found.force2, alpha * found.stiffness)
        pull = np.sqrt(found.force2)
        unit = np.sqrt(state.q) + 0.1 * (np.abs(state.b) + pull / found.stiffness)
        step = np.where(found.stiffness > 1e-10 * pull, found.force_b / found.stiffness, np.nan)
        new = self.weights.update_weights(hats, l1, l2)
        if isinstance(self.world, TwoGaussiansWorld):
            # m moves all fields: without the answer -V_hat of the force steps are rho times too long.
            answer = hats[2] * new.m / hats[0]
            new = replace(new, m=np.where(hats[0] > 0, (new.m + answer * state.m) / (1 + answer), new.m))
        return new, step, unit

    def log_residuals(self, x: Array, *args: Array, n: int = NODES) -> Array:
        """Logarithms of new to old m, s, V, and the step of b in its unit."""
        rows, step, _, unit = self._find_steps(x, args, n)
        return np.stack([*rows, step / unit] if self.intercept else rows)

    def damped_steps(self, x: Array, args: tuple[Array, ...], factor: float) -> Array:
        """Parts of the steps of all unknowns, at most 4 times as large; none where there are no forces."""
        rows, step, b, _ = self._find_steps(x, args, COARSE)
        found = np.stack([*rows, step / np.hypot(self.loss.scale, b)] if self.intercept else rows)
        return np.where(np.isfinite(found), np.clip(factor * found, -4 * factor, 4 * factor), 0.0)

    def _find_steps(
        self, x: Array, args: tuple[Array, ...], n: int
    ) -> tuple[list[Array], Array, Array, Array]:
        alpha, noise, l1, l2 = args
        state = self.state_of(x, noise)
        new, step, unit = self.update_weights(state, alpha, l1, l2, n)
        # An m beyond the root may even be turned back.
        along = np.log(np.maximum(new.m / state.m, TURNED))
        return [along, np.log(new.s / state.s), np.log(new.V / state.V)], step, state.b, unit


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
        residual u = y - h; a formula may be in y and h. A function that does not accept jets is
        differentiated numerically: about seven digits.
    penalty : float or dict
        l2, or {"l1": ..., "l2": ...}, or {"gamma": 1/l2}.
    teacher : str or object
        sign, probit(sigma), logistic(beta), threshold(theta), flips(plus, minus), linear, one of `Sign`,
        `Logistic`, `Linear`, or a function P(+1|z). Not used if the inputs carry their labels.
    noise : array-like
        Probability of a flipped label; for a linear teacher the variance of the noise on y.
    inputs : None, Covariance, RandomFeatures, TwoGaussians, Classes or Clusters
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
    if isinstance(inputs, Classes):
        # By symmetry the intercepts are zero.
        return inputs.make_world(), f"{inputs.K} classes", False
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
    if (loss == "softmax") != isinstance(world, ClassesWorld):
        raise ValueError("The softmax loss is for inputs=Classes(K, mu2), and the only one there.")
    own = SOFTMAX if loss == "softmax" else find_loss(loss, isinstance(world, RegressionWorld), kinks)
    sparse = bool(flat[2].any())
    law: penalties.Spectrum | penalties.ElasticNet
    if inputs is None:
        law = penalties.find_prior(prior)
        law = law if sparse else penalties.ISOTROPIC
    elif isinstance(inputs, LAWS_WITH_SPECTRUM):
        law = inputs.spectrum()
        if sparse:
            independent = inputs.weights_law() if isinstance(inputs, input_laws.Covariance) else None
            if independent is None:
                raise ValueError(
                    "An l1 penalty with correlated inputs does not close in a few order parameters: the "
                    "penalty is not invariant under rotation. Use l2, or independent inputs (a vector of "
                    "variances)."
                )
            law = independent
    else:
        known = "Covariance, RandomFeatures, TwoGaussians, Classes or Clusters"
        raise ValueError(f"inputs must be None, {known}, not {inputs!r}.")
    if isinstance(world, TwoGaussiansWorld | ClassesWorld):
        if flat[1].any():
            raise ValueError("Clouds have no noise of labels; use a teacher, or overlap the clouds more.")
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
    if isinstance(problem.world, ClassesWorld):
        reason[free] = clusters.UNPENALISED
    elif free.any() and (problem.loss.is_residual or problem.loss.grows_at_both_ends):
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
    # b starts at zero.
    units = [0.3 * scale, 0.5 * scale**2, scale / problem.loss.force, 1.0]
    start = np.tile(np.log(units)[: 3 + problem.intercept, None], m)
    start = _iterate_damped(problem, start, args, 8)
    rough = _find_newton(problem, start, args, COARSE)
    x, reason = _check_roots(problem, rough, np.full(m, NOT_FOUND, dtype=object), args)
    for rescue in (_solve_with_many_nodes, _rescue_by_iteration, _continue_in_penalty):
        lost = reason == NOT_FOUND
        if lost.any():
            rest = tuple(a[lost] for a in args)
            x[:, lost], reason[lost] = _check_roots(problem, *rescue(problem, start[:, lost], rest), rest)
    return x, reason


def _find_newton(problem: Problem, start: Array, args: tuple[Array, ...], n: int) -> Roots:
    # Where |w| diverges a residual at rounding level leaves a few digits.
    return newton_roots(partial(problem.log_residuals, n=n), start, args, rounding=1e-13)


def _solve_with_many_nodes(problem: Problem, start: Array, args: tuple[Array, ...]) -> tuple[Roots, Array]:
    found = _find_newton(problem, start, args, 2 * NODES)
    return found, np.full(start.shape[1], NOT_FOUND, dtype=object)


def _rescue_by_iteration(problem: Problem, start: Array, args: tuple[Array, ...]) -> tuple[Roots, Array]:
    """Newton's method from a state after many damped iterations, first long and then short ones."""
    x = _iterate_damped(problem, start, args, 100)
    x = _iterate_damped(problem, x, args, 150, 0.15)
    found = _find_newton(problem, x, args, 2 * NODES)
    return found, _explain_failures(problem, x, args)


def _explain_failures(problem: Problem, x: Array, args: tuple[Array, ...]) -> Array:
    """Why damped iterations end without a root: w vanishes, with all of its scale, or b is free."""
    step, q = problem.log_residuals(x, *args), problem.state_of(x, args[1]).q
    along, width, response = step[:3]
    scaling = (along < 0) & (np.abs(width - 2 * along) + np.abs(response - along) < 0.05 * np.abs(along))
    vanishing = (q < 1e-24 * problem.loss.scale**2) | (scaling & (q < 1e-2))
    # Also where no force reaches the threshold of l1.
    vanishing |= _is_hidden_by_b(problem, x, args) | ((args[2] > 0) & np.isneginf(width))
    free = problem.intercept and ~np.isfinite(step[-1]) & (np.abs(step[:3]).max(axis=0) < 1e-3)
    found = np.where(vanishing, VANISHING, np.where(free, NO_INTERCEPT, NOT_FOUND)).astype(object)
    if isinstance(problem.world, RegressionWorld):
        left = problem.world.mean_square(problem.state_of(x, args[1]))
        falling = (width < 0) & (np.abs(width - 2 * response) < -0.05 * width) & (left < 1e-2)
        found[(left < 1e-9) | falling] = RECOVERED
    return found


def _is_hidden_by_b(problem: Problem, x: Array, args: tuple[Array, ...]) -> Array:
    """Whether the field w.x is lost in the rounding of w.x + b."""
    state = problem.state_of(x, args[1])
    return np.asarray(np.sqrt(state.q) < 1e-8 * np.abs(state.b))


def _check_roots(
    problem: Problem, found: Roots, reason: Array, args: tuple[Array, ...]
) -> tuple[Array, Array]:
    """Roots whose equations do not change with twice the nodes; the given reasons where there are none."""
    x = np.full_like(found.x, np.nan)
    open_ = np.flatnonzero(~np.isnan(found.x[0]) & ~_is_hidden_by_b(problem, found.x, args))
    reason = np.where(np.isnan(found.x[0]), reason, VANISHING)
    here, nodes = found.x[:, open_], NODES
    while open_.size and nodes <= MOST_NODES:
        rest, slope = tuple(a[open_] for a in args), found.slope[open_]
        here = _refine_roots(problem, here, slope, rest, nodes)
        value = problem.log_residuals(here, *rest, n=2 * nodes)
        step = _chord_step(slope, value)
        # Where the equations are ill-conditioned the step may stay larger.
        good = (np.abs(step).max(axis=0) < STEP) | (2 * nodes > MOST_NODES)
        good &= np.abs(value).max(axis=0) < RESIDUAL
        x[:, open_[good]], reason[open_[good]] = (here + step)[:, good], ""
        open_, here, nodes = open_[~good], here[:, ~good], 2 * nodes
    if open_.size:
        reason[open_] = _explain_failures(problem, here, tuple(a[open_] for a in args))
    return x, reason


def _refine_roots(problem: Problem, x: Array, slope: Array, args: tuple[Array, ...], n: int) -> Array:
    """Roots with n nodes from those with fewer: with the derivatives there, or else by Newton's method."""
    here = x
    for _ in range(6):
        step = _chord_step(slope, problem.log_residuals(here, *args, n=n))
        here = here + step
        lost = ~(np.abs(step).max(axis=0) < 1e-7)
        if not lost.any():
            return here
    rest = tuple(a[lost] for a in args)
    better = _find_newton(problem, x[:, lost], rest, n).x
    here[:, lost] = np.where(np.isnan(better), x[:, lost], better)
    return here


def _chord_step(slope: Array, value: Array) -> Array:
    return -np.linalg.solve(slope, value.T[..., None])[..., 0].T


def _iterate_damped(
    problem: Problem, x: Array, args: tuple[Array, ...], times: int, factor: float = 0.5
) -> Array:
    """Fixed point iteration; steps of b shrink where they change sign, since b may sit at a kink."""
    last, reach = 0.0, np.full(x.shape[1], np.inf)
    with np.errstate(all="ignore"):
        for _ in range(times):
            step = problem.damped_steps(x, args, factor)
            if problem.intercept:
                least = 0.05 * np.exp(x[1] / 2) / problem.loss.scale
                reach = np.where(step[3] * last < 0, np.maximum(np.abs(last) / 2, least), 1.3 * reach)
                step[3] = last = np.clip(step[3], -reach, reach)
            x = x + step
    return x


def _continue_in_penalty(problem: Problem, start: Array, args: tuple[Array, ...]) -> tuple[Roots, Array]:
    """From l2 = 10 down, by factors of 3, with the last root as the next start."""
    alpha, noise, l1, l2 = args
    x, target = start.copy(), np.maximum(l2, 1e-9)
    now = np.maximum(target, 10.0)
    while True:
        points = (alpha, noise, l1, np.where(now <= target, l2, now))
        x = _iterate_damped(problem, x, points, 5)
        found = _find_newton(problem, x, points, NODES)
        x = np.where(np.isnan(found.x), x, found.x)
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
        x[:, open_], reason[open_] = _find_roots(problem, args)
    return _fill_record(problem, x, flat, reason, shape)


def _fill_record(
    problem: Problem, x: Array, flat: tuple[Array, ...], reason: Array, shape: tuple[int, ...]
) -> Solution:
    """The record, from the unknowns; w = 0 at alpha = 0."""
    alpha, noise, l1, l2 = flat
    world, rho = problem.world, problem.weights.rho
    regression = isinstance(world, RegressionWorld)
    ok, nothing = np.isfinite(x[0]), alpha == 0
    out = {name: np.full(alpha.shape, np.nan) for name in (*COLUMNS, "support", "nonzero")}
    if ok.any():
        state = problem.state_of(x[:, ok], noise[ok])
        training = world.observe_training(problem.loss, state, 2 * NODES)
        weights, _, _ = problem.update_weights(state, alpha[ok], l1[ok], l2[ok], 2 * NODES)
        cot = state.m / np.sqrt(rho * state.s)
        found = {
            "R": cot / np.hypot(1, cot), "m": state.m, "q": state.q, "V": state.V, "b": state.b,
            "norm": np.sqrt((world.classes - 1) * weights.norm2), "nonzero": weights.nonzero,
            "loss": training.loss, "support": training.support,
        }  # fmt: skip
        if isinstance(world, RegressionWorld):
            found |= {"mse": world.mean_square(state) + state.b**2, "mse_t": training.square}
        else:
            error = world.fresh_label_error(state, 2 * NODES)
            found |= {"epsilon_t": training.epsilon_t, "epsilon_g": error}
        if isinstance(world, TeacherWorld) and world.teacher.threshold == 0:
            found["epsilon_rule"] = np.arctan2(1, cot) / np.pi
        for name, values in found.items():
            out[name][ok] = values
    start = (
        {"mse": rho} if regression else dict.fromkeys(("epsilon_g", "epsilon_rule"), 1 - 1 / world.classes)
    )
    for name, value in (dict.fromkeys(("m", "q", "norm", "R", "b"), 0.0) | start).items():
        out[name][nothing] = value
    named: dict[str, Any] = {name: values.reshape(shape) for name, values in out.items()}
    texts = reason.astype(str).reshape(shape)
    return Solution(
        alpha.reshape(shape), ok=(ok | nothing).reshape(shape), reason=texts, family=problem.family, **named
    )
