"""The student of optimal stability in feature space (4.18), hard and soft margin, with a certificate.

Maximises sum x - 1/2 x^T G x over 0 <= x <= C with G = S S^T K: the dual of (4.21), with finite C that of
(4.5) in feature space. There is no threshold: add one to the kernel (`clamp` of `make_kernel`).
"""

from dataclasses import dataclass

import numpy as np

from markone.perceptron.margin.kernel._ascent import student_relative_gap
from markone.perceptron.margin.kernel.full_matrix import fits_memory, full_matrix_pays, solve_in_memory
from markone.perceptron.margin.kernel.kernel_certificate import certify_kernel_optimum
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import EXACT, FeatureSpaceOptimum, status_message
from markone.perceptron.margin.kernel.working_set import WorkingSet

NEWTON_FROM = 1e-4  # relative gap at which the set of free examples is nearly final
NEWTON_AFTER = 40  # epochs after which Newton's method is tried at any gap
MOST_NEWTON = 2000
EARLY, ROUGH = 0.3, 0.1  # while most examples are not yet active, a low accuracy is enough
IDLE = 4  # consecutive rounds without gain after which only rounding is left
DOUBTFUL = 1e-7  # kappa_max below this times the longest Psi: x.E cannot resolve a smaller one


def solve_kernel_problem(
    kernel: Kernel,
    S: np.ndarray,
    C: float | np.ndarray = np.inf,
    *,
    tol: float = 1e-6,
    exact: bool = True,
    max_epochs: int = 1000,
    cache_mb: float = 200.0,
    seed: int | np.random.Generator = 0,
    x0: np.ndarray | None = None,
) -> FeatureSpaceOptimum:
    """Train on the examples of `kernel` with labels S = +-1.

    Up to P = 1500 + 120 sqrt(N), or if the kernel matrix is stored anyway, in one compiled call (`whole`).
    Otherwise: blocks of AdaTron steps (an epoch is P of them), then Newton steps on the free examples
    0 < x < C. `exact` continues to rounding accuracy, else training stops at the first gap <= `tol`.
    `cache_mb` bounds the memory: half for Gamma of the active examples (float32), half for Newton, which is
    therefore skipped if more than 1000 sqrt(cache_mb / 32) examples are free (2500 with 200 MB).
    """
    S, bounds = _check_labels(kernel, S), _check_bounds(C, kernel.P)
    for name, value in (("tol", tol), ("max_epochs", max_epochs), ("cache_mb", cache_mb)):
        if not 0 < value < np.inf:
            raise ValueError(f"{name} = {value!r} must be positive.")
    start = None if x0 is None else _check_start(x0, bounds)
    return train_kernel_student(kernel, S, bounds, tol, exact, max_epochs, cache_mb, seed, start)


def train_kernel_student(
    kernel: Kernel,
    S: np.ndarray,
    bounds: np.ndarray,
    tol: float,
    exact: bool,
    max_epochs: int,
    cache_mb: float,
    seed: int | np.random.Generator,
    start: np.ndarray | None = None,
) -> FeatureSpaceOptimum:
    """`maximise` with validated arguments."""
    steps, newton_steps, budget, done = 0, 0, max_epochs * S.size, None
    if start is None and fits_memory(S.size, cache_mb) and full_matrix_pays(kernel):
        kernel = kernel.with_matrix()
        done, start, steps, newton_steps = solve_in_memory(kernel, S, bounds, tol, exact, budget)
    if done is not None:
        return certify_kernel_optimum(kernel, S, bounds, done, tol, exact)
    # An approximate solution rarely needs Newton's method: use the memory for the active examples.
    for_newton = 0.5 if exact or tol < NEWTON_FROM else 0.05
    climb = WorkingSet(kernel, S, bounds, cache_mb, steps, newton_steps, for_newton)
    if start is not None:
        climb.change_strengths(np.arange(S.size), start)
    found = _Ascent(climb, tol, exact, max_epochs * S.size, np.random.default_rng(seed)).run()
    return certify_kernel_optimum(kernel, S, bounds, found, tol, exact)


@dataclass
class _Ascent:
    climb: WorkingSet
    tol: float
    exact: bool
    budget: int
    generator: np.random.Generator

    def __post_init__(self) -> None:
        self.hard = bool(np.isinf(self.climb.C).all())
        self.best = self.climb.x.copy(), self.climb.E.copy()
        self.lower, self.upper = -np.inf, np.inf

    def run(self) -> FeatureSpaceOptimum:
        climb, value, idle = self.climb, -np.inf, 0
        while True:
            gap, before, value = self._measure_gap(), value, self._dual_value()
            if self.hard and self.upper <= DOUBTFUL * np.sqrt(climb.curvature.max()):
                return self._make_result("not_separable", gap)
            F = climb.free_examples()
            few = F.size <= climb.most_free
            if gap <= EXACT or (gap <= self.tol and not (self.exact and few)):
                return self._make_result("exact" if gap <= EXACT else "converged", gap)
            idle = idle + 1 if value - before <= 1e-15 * abs(value) else 0
            if idle == IDLE or climb.steps >= self.budget or climb.newton_steps >= MOST_NEWTON:
                return self._make_result("converged" if gap <= self.tol else "max_epochs", gap)
            # A round without gain is followed by one of the other kind.
            self._run_round(gap, F, few, newton=idle % 2 == 0)

    def _run_round(self, gap: float, F: np.ndarray, few: bool, newton: bool) -> None:
        """Make Newton steps if the free examples are few and nearly final, else AdaTron steps."""
        climb = self.climb
        precise = self.exact or self.tol < NEWTON_FROM
        late = climb.steps >= NEWTON_AFTER * climb.S.size
        if newton and few and (late or (precise and gap <= NEWTON_FROM)):
            return climb.newton_on_examples(F)
        climb.add_violators(self.generator)
        goal = 0.8 * max(self.tol, NEWTON_FROM if precise and few and newton else 0.0)
        most = min(self.budget - climb.steps, NEWTON_AFTER * climb.active.size)
        early = gap > EARLY and climb.active.size < climb.most_active
        return climb.climb(max(goal, ROUGH) if early else goal, most)

    def _dual_value(self) -> float:
        return float(self.climb.x.sum() - 0.5 * self.climb.x @ self.climb.E)

    def _measure_gap(self) -> float:
        """Relative gap: from float32 potentials while it is large, else from float64."""
        climb = self.climb
        gap = float(student_relative_gap(climb.x, climb.E, climb.C))
        if not self.hard and gap > 2 * max(self.tol, NEWTON_FROM) and climb.steps < self.budget:
            return gap
        climb.settle()
        self._update_bounds()
        return float(student_relative_gap(climb.x, climb.E, climb.C)) if climb.x.any() else np.inf

    def _update_bounds(self) -> None:
        """Update the bounds on kappa_max and, for the hard margin, the best student."""
        x, E = self.climb.x, self.climb.E
        xE, total = float(x @ E), float(x.sum())
        scale = self.climb.curvature.max() * total**2
        if not np.isfinite(xE):
            raise ValueError(
                "The kernel returned NaN or infinity. Check the inputs and the kernel's parameters."
            )
        if xE < -1e-12 * scale:
            raise ValueError(
                f"The kernel is not positive semi-definite: the ascent found x.Gx = {xE:.6g} < 0. "
                "No feature space has such scalar products (4.27); use another kernel."
            )
        W = np.sqrt(max(xE, 1e-16 * scale))  # accuracy of x.E
        self.upper = min(self.upper, W / total) if total > 0 else self.upper
        # W = 0 has no direction: use the smallest possible stability.
        lower = float(E.min()) / W if xE > 1e-15 * scale else -float(np.sqrt(self.climb.curvature.max()))
        if lower >= self.lower or not self.hard:
            self.lower, self.best = lower, (x.copy(), E.copy())

    def _make_result(self, status: str, gap: float) -> FeatureSpaceOptimum:
        climb = self.climb
        climb.settle()
        self._update_bounds()
        x, E = self.best
        proof = climb.x / climb.x.sum() if status == "not_separable" else None
        gap = float(student_relative_gap(x, E, climb.C))
        if self.hard:
            gap = 1.0 - self.lower / self.upper if self.upper > 0 else np.inf
        epochs = -(-climb.steps // climb.S.size)
        message = status_message(status, gap, epochs, self.lower, self.upper, self.hard, self.tol)
        return FeatureSpaceOptimum(
            x, E, self.lower, self.upper, gap, epochs, climb.newton_steps, status, message, proof
        )


def _check_start(x0: np.ndarray, C: np.ndarray) -> np.ndarray:
    if np.shape(x0) != C.shape or not np.isfinite(x0).all():
        raise ValueError(f"x0 must hold one finite embedding strength for each of the {C.size} examples.")
    return np.clip(x0, 0.0, C)


def _check_labels(kernel: Kernel, S: np.ndarray) -> np.ndarray:
    S = np.asarray(S, dtype=float)
    if S.size == 0:
        raise ValueError("There are no examples: P = 0.")
    if S.shape != (kernel.P,) or not (np.abs(S) == 1.0).all():
        raise ValueError(f"S must hold one label -1 or +1 for each of the {kernel.P} examples.")
    return S


def _check_bounds(C: float | np.ndarray, P: int) -> np.ndarray:
    bounds = np.asarray(C, dtype=float)
    if bounds.shape not in ((), (P,)):
        raise ValueError(f"C must be a number or hold one for each of the {P} examples, not {bounds.shape}.")
    if not (bounds > 0).all():
        raise ValueError(f"C must be positive; its smallest value is {bounds.min():g}.")
    return np.broadcast_to(bounds, (P,)).copy()
