"""The student of optimal stability in feature space (4.18), hard and soft margin, with a certificate.

Maximises sum x - 1/2 x^T G x over 0 <= x <= C with G = S S^T K: the dual of (4.21), with finite C that of
(4.5) in feature space. There is no threshold: add one to the kernel (`clamp` of `make_kernel`).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from markone.numerics.arrays import Floats
from markone.perceptron.margin.kernel._working_set import student_relative_gap
from markone.perceptron.margin.kernel.box_newton import solve_balanced_box
from markone.perceptron.margin.kernel.kernel_certificate import (
    best_threshold,
    certify_kernel_optimum,
    potential_sums,
)
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import EXACT, FeatureSpaceOptimum, status_message
from markone.perceptron.margin.kernel.working_set import WorkingSet, fits_memory, full_matrix_pays

NEWTON_FROM = 1e-4  # relative gap at which the set of free examples is nearly final
NEWTON_AFTER = 40  # epochs after which Newton's method is tried at any gap
MOST_NEWTON = 2000
EARLY, ROUGH = 0.3, 0.1  # while most examples are not yet active, a low accuracy is enough
IDLE = 4  # consecutive rounds without gain after which only rounding is left
# The clamped input that a free threshold is solved with first: its square in units of the largest distance,
# and of 1 / C, so that strengths at their bounds can move the threshold by more than one.
CLAMP, CLAMP_OF_STRENGTHS = 1e4, 1e2
MOST_ROUNDS = 10  # of these; the last only confirms the solution, from slopes computed anew
# Examples with E < 1 + NEAR may become support vectors; violations below FLAT are rounding.
NEAR, FLAT = 0.2, 1e-9
DOUBTFUL = 1e-7  # kappa_max below this times the longest Psi: x.E cannot resolve a smaller one


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
    """Train on the examples of `kernel` with labels S = +-1.

    AdaTron steps (an epoch is P of them) and Newton steps on the free examples 0 < x < C, on a working set:
    up to P = 1500 + 120 sqrt(N), or if the kernel matrix is stored anyway, all examples. `exact` continues to
    rounding accuracy, else training stops at the first gap <= `tol`. `cache_mb` bounds the memory: half for
    the kernels of the working set, half for Newton, which is therefore skipped if more than
    1000 sqrt(cache_mb / 32) examples are free (2500 with 200 MB).
    """
    if start is None and fits_memory(S.size, cache_mb) and full_matrix_pays(kernel):
        kernel = kernel.with_matrix()
    settings = (tol, exact, max_epochs * S.size, cache_mb, seed, start)
    found = (_solve_free_threshold if kernel.free else _solve_clamped)(kernel, S, bounds, *settings)
    return certify_kernel_optimum(kernel, S, bounds, found, tol, exact)


def _solve_clamped(
    kernel: Kernel,
    S: Floats,
    bounds: Floats,
    tol: float,
    exact: bool,
    budget: int,
    cache_mb: float,
    seed: int | np.random.Generator,
    start: Floats | None,
) -> FeatureSpaceOptimum:
    """Solve without a threshold besides the clamped input."""
    # An approximate solution rarely needs Newton's method: use the memory for the active examples.
    for_newton = 0.5 if exact or tol < NEWTON_FROM else 0.05
    working_set = WorkingSet(kernel, S, bounds, cache_mb, for_newton)
    if start is not None:
        working_set.set_strengths(start)
    ascent = _Ascent(working_set, tol, exact, budget, np.random.default_rng(seed))
    found = ascent.solve_at_once() if working_set.is_full and start is None else None
    return found or ascent.run()


def _solve_free_threshold(
    kernel: Kernel,
    S: Floats,
    bounds: Floats,
    tol: float,
    exact: bool,
    budget: int,
    cache_mb: float,
    *rest: Any,
) -> FeatureSpaceOptimum:
    """Solve with a large clamped input, then for sum x S = 0 by active sets near the margin."""
    q = kernel.kernel_diagonal()
    spread = float((q + q[0] - 2.0 * kernel.rows(np.zeros(1, int))[0]).max())
    clamp = max(CLAMP * spread, CLAMP_OF_STRENGTHS / float(bounds.max())) or 1.0
    clamped = replace(kernel, clamp=clamp, free=False, known_diagonal=q + clamp)
    found = _solve_clamped(clamped, S, bounds, tol, exact, budget, cache_mb, *rest)
    if found.status == "not_separable":
        return found
    x, steps, reached = _balanced_strengths(found.x, S), found.n_newton, False
    near, v = (x > 0.0) | (found.E < 1.0 + NEAR), np.zeros(0)
    for _ in range(MOST_ROUNDS):
        if 8.0 * np.count_nonzero(near) ** 2 > cache_mb * 1e6:
            break
        some = np.flatnonzero(near)
        K = kernel.kernel_block(some, some)
        h = S[some] - K @ (S * x)[some]
        try:
            x[some], taken = solve_balanced_box(K, S[some], x[some], h, bounds[some])
        except ValueError:
            # Rounded kernels of examples that nearly coincide need not be positive semi-definite.
            break
        steps, v = steps + taken, S * potential_sums(kernel, S, x)
        violating = ~near & (S * (v + best_threshold(S, v, bounds)) < 1.0 - FLAT)
        near, reached = near | violating, not violating.any()
        if reached and taken <= 1:
            break
    v = v if reached else S * potential_sums(kernel, S, x)
    b = best_threshold(S, v, bounds)
    status = "exact" if reached else found.status
    return replace(found, x=x, E=S * (v + b), b=b, n_newton=steps, status=status, fresh=False)


def _balanced_strengths(x: Floats, S: Floats) -> Floats:
    """x with the class of the larger sum scaled down, so that sum x S = 0 to rounding."""
    sums = [float(x[S > 0].sum()), float(x[S < 0].sum())]
    least = min(sums)
    return np.where(S > 0, x * (least / (sums[0] or 1.0)), x * (least / (sums[1] or 1.0)))


@dataclass
class _Ascent:
    working_set: WorkingSet
    tol: float
    exact: bool
    budget: int
    generator: np.random.Generator

    def __post_init__(self) -> None:
        self.hard = bool(np.isinf(self.working_set.C).all())
        self.best = self.working_set.x.copy(), self.working_set.E.copy()
        self.lower, self.upper = -np.inf, np.inf

    def solve_at_once(self) -> FeatureSpaceOptimum | None:
        """Solve with all examples active; None if not converged. Bounds are left to the certificate."""
        w = self.working_set
        if not w.ascend(self.tol, self.exact, self.budget):
            return None
        if not w.gap <= (EXACT if self.exact else self.tol) or not w.x.max() < np.inf:
            return None
        status, epochs = "exact" if w.gap <= EXACT else "converged", -(-w.steps // w.S.size)
        bounds = -np.inf, np.inf, w.gap, epochs, w.newton_steps
        return FeatureSpaceOptimum(w.x, w.E, *bounds, status, "", fresh=True)

    def run(self) -> FeatureSpaceOptimum:
        """Make rounds of AdaTron or Newton steps until a stop rule is met."""
        w, value, idle = self.working_set, -np.inf, 0
        while True:
            self._update_bounds()
            gap = float(student_relative_gap(w.x, w.E, w.C)) if w.x.any() else np.inf
            before, value = value, float(w.x.sum() - 0.5 * w.x @ w.E)
            if self.hard and self.upper <= DOUBTFUL * np.sqrt(w.curvature.max()):
                return self._make_result("not_separable", gap)
            # Strictly between the bounds, or at a bound and violating Kuhn-Tucker.
            F = np.flatnonzero(((w.x > 0) & (w.x < w.C)) | (w.all_gains() > 0))
            few = F.size <= w.most_free
            if gap <= EXACT or (gap <= self.tol and not (self.exact and few)):
                return self._make_result("exact" if gap <= EXACT else "converged", gap)
            idle = idle + 1 if value - before <= 1e-15 * abs(value) else 0
            if idle == IDLE or w.steps >= self.budget or w.newton_steps >= MOST_NEWTON:
                return self._make_result("converged" if gap <= self.tol else "max_epochs", gap)
            # A round without gain is followed by one of the other kind.
            self._run_round(gap, F, few, newton=idle % 2 == 0)

    def _run_round(self, gap: float, F: np.ndarray, few: bool, newton: bool) -> None:
        """Make Newton steps if the free examples are few and nearly final, else AdaTron steps."""
        working_set, most = self.working_set, self.budget - self.working_set.steps
        precise = self.exact or self.tol < NEWTON_FROM
        late = working_set.steps >= NEWTON_AFTER * working_set.S.size
        if newton and few and (late or (precise and gap <= NEWTON_FROM)):
            return working_set.newton_on_examples(F)
        if working_set.is_full:
            working_set.ascend(self.tol, self.exact, most)
            return None
        working_set.add_violators(self.generator)
        goal = 0.8 * max(self.tol, NEWTON_FROM if precise and few and newton else 0.0)
        early = gap > EARLY and working_set.active.size < working_set.most_active
        most = min(most, NEWTON_AFTER * working_set.active.size)
        working_set.ascend(max(goal, ROUGH) if early else goal, False, most)
        return None

    def _update_bounds(self) -> None:
        """Update the bounds on kappa_max and, for the hard margin, the best student."""
        x, E = self.working_set.x, self.working_set.E
        xE, total = float(x @ E), float(x.sum())
        scale = self.working_set.curvature.max() * total**2
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
        lower = (
            float(E.min()) / W if xE > 1e-15 * scale else -float(np.sqrt(self.working_set.curvature.max()))
        )
        if lower >= self.lower or not self.hard:
            self.lower, self.best = lower, (x.copy(), E.copy())

    def _make_result(self, status: str, gap: float) -> FeatureSpaceOptimum:
        w = self.working_set
        self._update_bounds()
        x, E = self.best
        proof = w.x / w.x.sum() if status == "not_separable" else None
        gap = float(student_relative_gap(x, E, w.C))
        if self.hard:
            gap = 1.0 - self.lower / self.upper if self.upper > 0 else np.inf
        epochs = -(-w.steps // w.S.size)
        message = status_message(status, gap, epochs, self.lower, self.upper, self.hard, self.tol)
        return FeatureSpaceOptimum(
            x, E, self.lower, self.upper, gap, epochs, w.newton_steps, status, message, proof
        )
