"""The equations of a student: unknowns ln m, ln s, ln V (and b), and how far they are from their new values.

Arguments are arrays (m,) alpha, noise, l1, l2 for m points of a curve; unknowns x have shape (d, m).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.theory.engine.losses import Loss
from markone.perceptron.theory.engine.penalties import ElasticNet, Spectrum, Weights
from markone.perceptron.theory.engine.worlds.classes import ClassesWorld
from markone.perceptron.theory.engine.worlds.separability import find_separable_alpha
from markone.perceptron.theory.engine.worlds.world import (
    MOST_NODES,
    RegressionWorld,
    State,
    TeacherWorld,
    TwoGaussiansWorld,
    World,
)

Arguments = tuple[Array, ...]
# Nodes per panel, of a start and of the solution; a root is checked with twice the nodes.
COARSE, NODES = 6, 12
# Least ratio of new to old m in an iteration.
TURNED = 0.05
SEPARABLE = "separable: the minimiser runs away; its direction tends to optimal stability. Use a penalty"
INTERPOLATION = "alpha <= 1 without penalty: the minimiser is not unique. Use a penalty"
UNPENALISED = "clusters and classes need an l2 penalty: without one the minimiser may run away"
NOT_FOUND = "no root was found"
VANISHING = "the minimiser tends to w = 0: the penalty is too large, or b alone explains unbalanced labels"
RECOVERED = "the minimiser is the teacher: the error vanishes"
INACCURATE = "the averages over the fields are not accurate to 1e-9 here: use a larger penalty"
NO_INTERCEPT = (
    "b is not determined: the loss is linear at all examples. Use a smaller penalty, or no intercept"
)


@dataclass(frozen=True)
class Equations(ABC):
    """Order parameters of a loss; with an intercept the last unknown is arsinh of b."""

    loss: Loss
    intercept: bool
    family: str

    @abstractmethod
    def find_start(self) -> Array:
        """Unknowns (d,) from which iterations start."""

    @abstractmethod
    def find_steps(self, x: Array, args: Arguments, n: int) -> tuple[Array, Array]:
        """Residuals, and the changes of the unknowns by one iteration.

        Residuals are logarithms of new to old order parameters, and steps of M and b in units of the field.
        The step of b is NaN where no force depends on b.
        """

    def find_large_penalty(self, args: Arguments) -> Array:
        """An l2 for which iterations from the start converge."""
        return np.maximum(args[3], 10.0)

    @abstractmethod
    def field_width(self, x: Array) -> Array:
        """sqrt(q), the width of the student's field."""

    @abstractmethod
    def refuse_points(self, args: Arguments) -> Array:
        """Why a point has no solution, known before solving; empty texts elsewhere."""

    @abstractmethod
    def observe(self, x: Array, args: Arguments) -> dict[str, Array]:
        """Columns of the record at the roots."""

    @property
    def most_nodes(self) -> int:
        """Nodes per panel with which roots are improved at most."""
        return MOST_NODES

    @property
    def is_fast(self) -> bool:
        """Whether averages are fast enough to try again where they are not accurate."""
        return True

    @property
    def untrained(self) -> dict[str, float]:
        """Columns of the record at alpha = 0."""
        return {}

    def intercept_of(self, x: Array) -> Array:
        """b."""
        return self.loss.scale * np.sinh(x[-1]) if self.intercept else np.zeros(x.shape[1])

    def log_residuals(self, x: Array, *args: Array, n: int = NODES) -> Array:
        return self.find_steps(x, args, n)[0]

    def damped_steps(self, x: Array, args: Arguments, factor: float) -> Array:
        """Parts of the steps of all unknowns, at most 4 times as large; none where there are no forces."""
        step = self.find_steps(x, args, COARSE)[1]
        return np.where(np.isfinite(step), np.clip(factor * step, -4 * factor, 4 * factor), 0.0)

    def is_hidden_by_b(self, x: Array) -> Array:
        """Whether the field w.x is lost in the rounding of w.x + b."""
        return np.asarray(self.field_width(x) < 3e-7 * np.abs(self.intercept_of(x)))

    def explain_failures(self, x: Array, args: Arguments) -> Array:
        """Why damped iterations end without a root: w vanishes, or b is free."""
        step, width = self.log_residuals(x, *args), self.field_width(x)
        vanishing = (width < 1e-12 * self.loss.scale) | self.is_hidden_by_b(x)
        free = self.intercept and ~np.isfinite(step[-1]) & (np.abs(step[:-1]).max(axis=0) < 1e-3)
        return np.where(vanishing, VANISHING, np.where(free, NO_INTERCEPT, NOT_FOUND)).astype(object)


@dataclass(frozen=True)
class ScalarEquations(Equations):
    """A world whose fields have one mean and one variance for each label: unknowns ln m, ln s, ln V."""

    world: World
    weights: Spectrum | ElasticNet

    @property
    def most_nodes(self) -> int:
        return self.world.most_nodes

    @property
    def is_fast(self) -> bool:
        return self.world.classes <= 2

    @property
    def untrained(self) -> dict[str, float]:
        if isinstance(self.world, RegressionWorld):
            error = {"mse": self.weights.rho}
        else:
            error = dict.fromkeys(("epsilon_g", "epsilon_rule"), 1 - 1 / self.world.classes)
        return error | dict.fromkeys(("m", "q", "norm", "R", "b"), 0.0)

    def find_start(self) -> Array:
        scale = self.loss.scale
        # b starts at zero: x = 0.
        start = np.log([0.3 * scale, 0.5 * scale**2, scale / self.loss.force, 1.0])
        return np.asarray(start[: 3 + self.intercept])

    def state_of(self, x: Array, noise: Array) -> State:
        m, s, V = np.exp(x[:3])
        return State(m, s, V, self.intercept_of(x), noise, self.weights.rho)

    def field_width(self, x: Array) -> Array:
        return np.sqrt(self.state_of(x, x[0]).q)

    def update_weights(
        self, state: State, alpha: Array, l1: Array, l2: Array, n: int
    ) -> tuple[Weights, Array, Array]:
        """The weights that follow from a state, the step of b, and the unit of its residual.

        The unit is that of the field, or a tenth of b or of the range of the loss if the field is much
        smaller: b has 16 digits only.
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

    def find_steps(self, x: Array, args: Arguments, n: int) -> tuple[Array, Array]:
        alpha, noise, l1, l2 = args
        state = self.state_of(x, noise)
        new, step, unit = self.update_weights(state, alpha, l1, l2, n)
        # An m beyond the root may even be turned back.
        logs = np.log([np.maximum(new.m / state.m, TURNED), new.s / state.s, new.V / state.V])
        if not self.intercept:
            return logs, logs
        return np.vstack([logs, step / unit]), np.vstack([logs, step / np.hypot(self.loss.scale, state.b)])

    def explain_failures(self, x: Array, args: Arguments) -> Array:
        """Also where w vanishes with all of its scale, or where the teacher is recovered."""
        found, state = super().explain_failures(x, args), self.state_of(x, args[1])
        along, width, response = self.log_residuals(x, *args)[:3]
        scaling = (along < 0) & (np.abs(width - 2 * along) + np.abs(response - along) < 0.05 * np.abs(along))
        # No force reaches the threshold of l1 where the new s is zero, or zero times an infinite response.
        small = state.q < 0.03 * self.loss.scale**2
        found[(scaling & small) | ((args[2] > 0) & ~np.isfinite(width))] = VANISHING
        if isinstance(self.world, RegressionWorld):
            left = self.world.mean_square(state)
            falling = (width < 0) & (np.abs(width - 2 * response) < -0.05 * width) & (left < 1e-2)
            found[(left < 1e-9) | falling | ((left < 1e-3) & ~np.isfinite(width))] = RECOVERED
        return found

    def refuse_points(self, args: Arguments) -> Array:
        alpha, noise, l1, l2 = args
        reason = np.full(alpha.shape, "", dtype=object)
        free = (l1 == 0) & (l2 == 0) & (alpha > 0)
        if isinstance(self.world, ClassesWorld):
            reason[free] = UNPENALISED
        elif free.any() and (self.loss.is_residual or self.loss.grows_at_both_ends):
            reason[free & (alpha <= 1)] = INTERPOLATION
        elif free.any():
            limit = find_separable_alpha(self.world, noise[free], self.intercept, self.weights.rho)
            reason[np.flatnonzero(free)[alpha[free] <= limit]] = SEPARABLE
        return reason

    def observe(self, x: Array, args: Arguments) -> dict[str, Array]:
        alpha, noise, l1, l2 = args
        world, state = self.world, self.state_of(x, noise)
        training = world.observe_training(self.loss, state, 2 * NODES)
        weights, _, _ = self.update_weights(state, alpha, l1, l2, 2 * NODES)
        cot = state.m / np.sqrt(state.rho * state.s)
        found = {
            "R": cot / np.hypot(1, cot), "m": state.m, "q": state.q, "V": state.V, "b": state.b,
            "norm": np.sqrt((world.classes - 1) * weights.norm2), "nonzero": weights.nonzero,
            "loss": training.loss, "support": training.support,
        }  # fmt: skip
        if isinstance(world, RegressionWorld):
            return found | {"mse": world.mean_square(state) + state.b**2, "mse_t": training.square}
        found |= {
            "epsilon_t": training.epsilon_t,
            "epsilon_g": world.fresh_label_error(state, 2 * NODES),
        }
        if isinstance(world, TeacherWorld) and world.teacher.threshold == 0:
            found["epsilon_rule"] = np.arctan2(1, cot) / np.pi
        return found
