"""The Bayes-optimal student of a teacher and a prior (Barbier et al. 2019), all branches.

q_hat = alpha J(q), J = sum_y <Z'^2/Z>, and 1 - q = E Var(W | m_hat = q_hat): along q_hat everything is
explicit, alpha = q_hat/J. Where alpha(q_hat) is not monotone there are several branches: approximate message
passing (AMP) stops at the smallest q_hat, the informed branch is the largest, and the larger free entropy is
the truth. The spinodal is the first maximum of alpha(q_hat).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array, check_at_least
from markone.numerics.gaussian import panel_quadrature, phi, trapezoid_rule
from markone.numerics.roots import find_roots
from markone.perceptron.theory.engine.channels import (
    FunctionTeacher,
    Linear,
    Teacher,
    check_teacher_noise,
    find_teacher,
)
from markone.perceptron.theory.engine.penalties import ElasticNet, find_prior
from markone.perceptron.theory.engine.worlds.world import State, TeacherWorld

NODES, STEPS = 20, 401
# Grid of ln q_hat on which branches are searched; a binary prior has q = 1 beyond the second end.
LOWEST, HIGHEST, HIGHEST_BINARY, CELLS = -25.0, 30.0, 6.0, 300


@dataclass(frozen=True)
class Branch:
    """q = R^2, error on labels or mean squared error of the weights, and free entropy per weight."""

    q: Array
    epsilon_g: Array
    mse: Array
    free_entropy: Array


@dataclass(frozen=True)
class BayesProblem:
    """A teacher with noise and a prior; functions of x = ln q_hat, arrays (m,)."""

    teacher: Teacher | Linear
    noise: float
    prior: ElasticNet

    @cached_property
    def turns(self) -> Array:
        """x of the maxima and minima of alpha(x), sorted: the first is the spinodal; empty if monotone."""
        grid, values = self._plain_values
        steps = np.diff(values)
        turn = np.flatnonzero((steps[1:] * steps[:-1] < 0) & (np.abs(steps).clip(max=1)[1:] > 1e-9))
        h = 1e-4
        found = find_roots(
            lambda x: self.log_alpha(x - h) - self.log_alpha(x + h), grid[turn], grid[turn + 2]
        ).x
        # Rounding errors at a large q_hat look like turns, but have no root.
        return found[~np.isnan(found)]

    @cached_property
    def _plain_values(self) -> tuple[Array, Array]:
        discrete = max(self.prior.variances) == 0
        grid = np.linspace(LOWEST, HIGHEST_BINARY if discrete else HIGHEST, CELLS)
        return grid, self.log_alpha(grid)

    @cached_property
    def grid(self) -> tuple[Array, Array]:
        """Values of x between which alpha(x) is monotone, and ln alpha there."""
        x, values = self._plain_values
        x, values = np.append(x, self.turns), np.append(values, self.log_alpha(self.turns))
        order = np.argsort(x)
        return x[order], values[order]

    def weight_moments(self, x: Array) -> tuple[Array, Array]:
        """1 - q, and psi_w - q q_hat/2."""
        hat = np.exp(x)[:, None]
        t, weight = trapezoid_rule(STEPS)
        rest, entropy = np.zeros(x.size), np.zeros(x.size)
        parts = [*zip(self.prior.shares, self.prior.means, self.prior.variances, strict=True)]
        for share, mean, variance in parts:
            B = hat * mean + np.sqrt(hat + hat**2 * variance) * t
            logs, centres, spreads = [], [], []
            for other, mu, var in parts:
                scale = 1 + hat * var
                # Of the posterior weight, less its exponent at W = mean.
                logs.append(
                    np.log(other / np.sqrt(scale)) + (2 * B * mu + B * B * var - hat * mu * mu) / (2 * scale)
                )
                centres.append((mu + var * B) / scale)
                spreads.append(var / scale)
            total = np.logaddexp.reduce(logs)
            shares = np.exp(np.array(logs) - total)
            middle = np.sum(shares * np.array(centres), axis=0)
            spread = sum(
                r * (s + (c - middle) ** 2) for r, c, s in zip(shares, centres, spreads, strict=True)
            )
            rest += share * (weight * spread).sum(-1)
            entropy += share * (weight * (total - 0.5 * hat)).sum(-1)
        return np.maximum(rest, 1e-300), entropy + 0.5 * np.exp(x) * rest

    def _label_nodes(self, rest: Array) -> tuple[Array, Array, Array]:
        """P(+1), its derivative, and weights of the student's field of variance q = 1 - rest.

        The field at which both labels are equally probable is an edge.
        """
        assert isinstance(self.teacher, Teacher)
        teacher = self.teacher
        q = np.maximum(1 - rest, 1e-300)
        state = State(q, q * rest, q, np.zeros_like(q), np.full_like(q, self.noise), 1.0)
        edges = TeacherWorld(teacher, ()).panel_edges(state, 1.0)
        even = self._even_field(rest, edges)
        field, weight = panel_quadrature(np.sort(np.column_stack([edges, even]), axis=-1), NODES)
        width = np.sqrt(q)[:, None]
        Z, slope = teacher.label_probability(field, rest[:, None], state.noise[:, None])
        return Z, slope, weight * phi(field / width) / width

    def _even_field(self, rest: Array, edges: Array) -> Array:
        """The field with P(+1) = 1/2, or the middle of the range if there is none."""
        teacher = self.teacher
        assert isinstance(teacher, Teacher)
        if teacher.flip_plus == teacher.flip_minus and not isinstance(teacher, FunctionTeacher):
            return np.clip(np.full_like(rest, -teacher.threshold), edges[:, 0], edges[:, -1])
        found = find_roots(
            lambda x, v: teacher.label_probability(x, v, np.full_like(x, self.noise))[0] - 0.5,
            edges[:, 0],
            edges[:, -1],
            (rest,),
        ).x
        return np.where(np.isnan(found), 0.5 * (edges[:, 0] + edges[:, -1]), found)

    def _value_variance(self, rest: Array) -> Array:
        assert isinstance(self.teacher, Linear)
        return rest + self.teacher.sigma2 + self.noise

    def information(self, rest: Array) -> Array:
        """J = sum_y <Z'^2/Z>."""
        if isinstance(self.teacher, Linear):
            return 1 / self._value_variance(rest)
        Z, slope, weight = self._label_nodes(rest)
        terms = [np.divide(slope**2, P, out=np.zeros_like(P), where=P > 1e-280) for P in (Z, 1 - Z)]
        return (weight * (terms[0] + terms[1])).sum(-1)

    def log_alpha(self, x: Array) -> Array:
        """ln alpha at which q_hat = exp(x) is a stationary point."""
        return x - np.log(self.information(self.weight_moments(x)[0]))

    def describe_branch(self, x: Array, alpha: Array) -> Branch:
        rest, entropy = self.weight_moments(x)
        if isinstance(self.teacher, Linear):
            output = -0.5 * (1 + np.log(2 * np.pi * self._value_variance(rest)))
            error = np.full_like(x, np.nan)
        else:
            Z, _, weight = self._label_nodes(rest)
            output = (weight * sum(P * np.log(np.maximum(P, 1e-300)) for P in (Z, 1 - Z))).sum(-1)
            error = (weight * np.minimum(Z, 1 - Z)).sum(-1)
        return Branch(1 - rest, error, rest, entropy + alpha * output)

    def find_stationary(self, alpha: Array, informed: bool) -> Array:
        """ln q_hat of the first or, if informed, the last stationary point; the end of the grid beyond it."""
        (grid, values), target = self.grid, np.log(alpha)
        above = values > target[:, None]
        if informed:
            cell = above.shape[1] - np.argmin(above[:, ::-1], axis=1)
        else:
            cell = np.argmax(above, axis=1)
            cell = np.where(above.any(axis=1), cell, grid.size)
        inside = (cell > 0) & (cell < grid.size)
        x = np.where(cell == 0, grid[0], grid[-1])
        low, high = grid[cell[inside] - 1], grid[cell[inside]]
        x[inside] = find_roots(lambda y, a: self.log_alpha(y) - a, low, high, (target[inside],)).x
        return x


@dataclass(frozen=True)
class BayesCurve:
    """Branches of the Bayes-optimal student; `optimal` is the one of larger free entropy."""

    alpha: Array
    amp: Branch
    informed: Branch
    optimal: Branch
    posterior: BayesProblem
    equations: ClassVar[str] = (
        "q_hat = alpha sum_y <Z'^2/Z>, 1 - q = E Var(W | q_hat); exact for N -> infinity.\n"
        "amp: the smallest q_hat, reached by message passing; optimal: the branch of larger free entropy."
    )

    @property
    def family(self) -> str:
        """The world, for `explain`."""
        return f"Bayes-optimal student, teacher {self.posterior.teacher.name}"

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each alpha and the columns of all branches."""
        import pandas as pd

        columns = {"alpha": np.ravel(self.alpha)}
        for name in ("amp", "informed", "optimal"):
            columns |= {f"{name}_{key}": np.ravel(v) for key, v in vars(getattr(self, name)).items()}
        return pd.DataFrame(columns)

    @cached_property
    def alpha_spinodal(self) -> float:
        """alpha beyond which AMP reaches the informed branch; NaN if there is one branch at every alpha."""
        turns = self.posterior.turns
        return float(np.exp(self.posterior.log_alpha(turns[:1]))[0]) if turns.size else float("nan")

    @cached_property
    def alpha_IT(self) -> float:
        """alpha at which the free entropies of the branches are equal; NaN without two branches."""
        top = self.alpha_spinodal
        if np.isnan(top):
            return top

        def advantage(alpha: Array) -> Array:
            amp, informed = _find_branches(self.posterior, alpha)
            return amp.free_entropy - informed.free_entropy

        trial = np.linspace(0.3, 0.9999, 29) * top
        values = advantage(trial)
        ahead = np.flatnonzero((values[:-1] > 0) & (values[1:] < -1e-9))
        if not ahead.size:
            return float("nan")
        return float(find_roots(advantage, trial[ahead[-1]], trial[ahead[-1] + 1], rtol=1e-14).x)


def _find_branches(posterior: BayesProblem, alpha: Array) -> tuple[Branch, Branch]:
    amp = posterior.describe_branch(posterior.find_stationary(alpha, informed=False), alpha)
    if not posterior.turns.size:
        return amp, amp
    return amp, posterior.describe_branch(posterior.find_stationary(alpha, informed=True), alpha)


def bayes(alpha: ArrayLike, teacher: Any = "sign", prior: str = "gauss", noise: float = 0.0) -> BayesCurve:
    """Return the learning curve of the Bayes-optimal student, N -> infinity.

    Parameters
    ----------
    alpha : array-like
        Examples per weight, above 0.
    teacher : str or object
        As in `solve`.
    prior : str
        Law of the teacher's weights: gauss, sparse(d) or binary.
    noise : float
        Probability of a flipped label; for a linear teacher the variance of the noise on y.

    Returns
    -------
    BayesCurve
        Its branches, and the thresholds alpha_spinodal and alpha_IT.

    Examples
    --------
    >>> from markone import theory
    >>> b = theory.bayes(1.0, prior="binary")
    >>> round(float(b.optimal.epsilon_g), 6), round(b.alpha_spinodal, 6), round(b.alpha_IT, 6)
    (0.230626, 1.492632, 1.244684)
    """
    found = find_teacher(teacher)
    check_teacher_noise(found, np.asarray(noise, dtype=float))
    values = check_at_least(0, "alpha", alpha)
    if not (values > 0).all() or not np.isfinite(values).all():
        raise ValueError("alpha must be a positive number.")
    posterior = BayesProblem(found, float(noise), find_prior(prior))
    with np.errstate(divide="ignore", under="ignore"):
        amp, informed = _find_branches(posterior, values.ravel())
    better = amp.free_entropy >= informed.free_entropy
    names = ("q", "epsilon_g", "mse", "free_entropy")
    best = Branch(*(np.where(better, getattr(amp, n), getattr(informed, n)) for n in names))
    branches = [
        Branch(*(getattr(one, n).reshape(values.shape) for n in names)) for one in (amp, informed, best)
    ]
    return BayesCurve(values, branches[0], branches[1], branches[2], posterior)
