"""Working set of examples in feature space, which may be all of them: strengths, potentials, kernel matrix.

The working set (the active examples) has its kernel matrix in memory. After each round of steps on it, the
potentials of the inactive examples are updated from kernels that are computed again.
"""

import numpy as np
from scipy import sparse

from markone.perceptron.margin.kernel._working_set import (
    Examples,
    solve_working_set,
    step_gains,
    write_kernel_rows,
)
from markone.perceptron.margin.kernel.box_newton import solve_box
from markone.perceptron.margin.kernel.mercer import Kernel

FIRST = 600  # initial size of the working set, and number that may always be added at once
PIECE = 1 << 18  # kernel elements computed at a time: two megabytes
MOST_FREE = 400  # free examples solved for in compiled code; LAPACK, called from Python, is faster above
# Largest P for which the full matrix is faster than a growing working set, measured at N = 4 to 600: that
# computes some kernels more than once, which costs more the longer the inputs are.
ALONE, PER_ROOT = 1500, 120
# Largest K(xi, xi): products of two must be finite.
LARGEST = 1e140
# Fraction of the cache for the full matrix; the rest is for the rows of one problem and for Newton.
SHARE = 0.5


def fits_memory(P: int, cache_mb: float) -> bool:
    """True if the kernel matrix of P examples fits the cache."""
    return bool(SHARE * cache_mb * 1e6 >= 8.0 * P * P)


def full_matrix_pays(kernel: Kernel) -> bool:
    """True if computing the full matrix costs less than repeated rows of a working set."""
    if kernel.matrix is not None or kernel.P <= ALONE:
        return True
    if kernel.name == "callable":
        return False
    inputs = kernel.X.nnz / kernel.P if sparse.issparse(kernel.X) else kernel.X.shape[1]
    return bool(ALONE + PER_ROOT * inputs**0.5 >= kernel.P)


def _kernel_curvature(kernel: Kernel) -> np.ndarray:
    """K(xi, xi) of each example, replaced by a small positive number if it is zero."""
    diagonal = kernel.kernel_diagonal()
    least, most = float(diagonal.min()), float(diagonal.max())
    if not 0 <= least <= most < np.inf:
        raise ValueError(
            f"K(xi, xi) must be finite and >= 0 for every example (4.27); its smallest value is "
            f"{least:g}, its largest {most:g}."
        )
    if most > LARGEST or 0 < most < 1.0 / LARGEST:
        raise ValueError(
            f"K(xi, xi) reaches {most:.3g}, whose square is out of the range of floats. "
            "Scale the inputs, or lower degree, gamma or coef0."
        )
    return np.maximum(diagonal, 1e-12 * most or 1.0)


class WorkingSet:
    """x and E of all examples, and the kernel matrix `K` (without the clamp) of the active ones.

    If the kernel has its matrix in memory all examples are active. for_newton: fraction of the memory that is
    reserved for Newton's method.
    """

    def __init__(
        self, kernel: Kernel, S: np.ndarray, C: np.ndarray, cache_mb: float, for_newton: float = 0.5
    ) -> None:
        P = len(S)
        self.kernel, self.S, self.C, self.curvature = kernel, S, C, _kernel_curvature(kernel)
        self.x, self.E, self.steps, self.newton_steps = np.zeros(P), np.zeros(P), 0, 0
        self.gap = np.inf
        self.most_free = max(2, int(np.sqrt(for_newton * cache_mb * 1e6 / 16)))
        self.active, self.K = np.empty(0, np.int64), np.empty((0, 0))
        self.most_active = min(P, max(2, int(np.sqrt((1.0 - for_newton) * cache_mb * 1e6 / 8))))
        if kernel.matrix is not None:
            self.active, self.K, self.most_active = np.arange(P), kernel.matrix, P

    @property
    def is_full(self) -> bool:
        """True if all examples are active."""
        return self.active.size == self.S.size

    def set_strengths(self, x: np.ndarray) -> None:
        """Set x and compute E of all examples."""
        changed = np.flatnonzero(x != self.x)
        change, self.x = (x - self.x)[changed], x.copy()
        self._add_to_potentials(np.arange(self.S.size), changed, change)

    def _add_to_potentials(self, targets: np.ndarray, mu: np.ndarray, change: np.ndarray) -> None:
        """Update E of the examples `targets` for x^mu += change, some rows of K at a time."""
        if targets.size == 0:
            return
        others = self.kernel if targets.size == self.S.size else self.kernel.subset_kernel(targets)
        rows = max(1, PIECE // max(1, targets.size))
        for k in range(0, mu.size, rows):
            few = mu[k : k + rows]
            K = self.kernel.block_towards(few, others)
            self.E[targets] += self.S[targets] * ((self.S[few] * change[k : k + rows]) @ K)

    def all_gains(self) -> np.ndarray:
        """Gain of the objective by an AdaTron step on each example alone."""
        return np.asarray(step_gains(self.x, self.E, self.C, self.curvature))

    def ascend(self, tol: float, exact: bool, most: int) -> bool:
        """Solve on the active examples in at most `most` steps; True if converged there."""
        A = self.active
        x, E, S, C, clamp = self.x[A], self.E[A], self.S[A], self.C[A], self.kernel.clamp
        K, indices, known = self.K, A, np.ones(A.size, bool)
        if self.kernel.matrix is not None and A.size < len(K):
            K, indices, known = np.empty((A.size, A.size)), self.kernel.matrix_indices(A), ~known
        g, linear, sums = 1.0 - E, S, (0.0, 0.0, 0.0, 0.0)
        if not self.is_full:
            a = S * x
            linear = S * g + K @ a + clamp * a.sum()
            value = float(self.x.sum() - 0.5 * self.x @ self.E)
            sums = (*self._inactive_sums(), value - 0.5 * float(a @ (linear + S * g)))
        bounds = np.minimum(S * C, 0.0), np.maximum(S * C, 0.0)
        p = Examples(K, clamp, self.K, indices, known, *bounds, self.curvature[A], linear)
        M = np.empty((3, *(max(2, min(MOST_FREE, A.size)),) * 2))
        self.gap, steps, newton_steps, converged = solve_working_set(p, S, C, x, g, M, sums, tol, exact, most)
        self.steps, self.newton_steps = self.steps + steps, self.newton_steps + newton_steps
        if not self.is_full:
            changed = np.flatnonzero(x != self.x[A])
            inactive = np.flatnonzero(self._inactive_mask())
            self._add_to_potentials(inactive, A[changed], (x - self.x[A])[changed])
        self.x[A], self.E[A] = x, 1.0 - g
        return bool(converged)

    def _inactive_mask(self) -> np.ndarray:
        inactive = np.ones(self.S.size, bool)
        inactive[self.active] = False
        return inactive

    def _inactive_sums(self) -> tuple[float, float, float]:
        """Contributions of the inactive examples to x.E, sum x and sum C (1 - E)_+ - x (1 - E)."""
        some = self._inactive_mask() & (self.x > 0)
        x, g, C = self.x[some], 1.0 - self.E[some], self.C[some]
        soft = np.isfinite(C)
        slack = C[soft] @ np.maximum(g[soft], 0.0)
        return float(x.sum() - x @ g), float(x.sum()), float(slack - x @ g)

    def add_violators(self, generator: np.random.Generator) -> None:
        """Add a random sample of violating examples, replacing inactive ones if necessary.

        A uniform sample, since the largest violations are outliers, on which a student generalises badly.
        """
        gained = self.all_gains()
        outside = np.where(gained > 0, generator.random(gained.size), 0.0)
        outside[self.active] = 0.0
        wanted = max(FIRST, self.active.size or self.S.size // 5)
        # At most half of a full working set is replaced, else the removed examples would return at once.
        allowed = max(self.most_active - self.active.size, (self.most_active + 1) // 2)
        number = min(int(np.count_nonzero(outside)), wanted, allowed)
        if number:
            new = np.argpartition(outside, -number)[-number:]
            self._load_rows(np.sort(new), np.sort(self._choose_slots(gained, number)))

    def _choose_slots(self, gained: np.ndarray, number: int) -> np.ndarray:
        """Slots to fill: of examples with x = 0, largest E first; unused; at x = C; the others."""
        A, unused = self.active, np.arange(self.active.size, self.most_active)
        x, E, rests = self.x[A], self.E[A], gained[A] == 0
        rank = np.where(rests & (x == 0), 0, np.where(rests & (x == self.C[A]), 2, 3))
        order = np.lexsort((np.where(rank == 0, -E, np.where(rank == 2, E, gained[A])), rank))
        nothing = np.count_nonzero(rank == 0)
        return np.concatenate([order[:nothing], unused, order[nothing:]])[:number]

    def _load_rows(self, new: np.ndarray, slots: np.ndarray) -> None:
        """Compute the rows and columns of the kernel matrix for the new examples."""
        old, n = self.active, max(self.active.size, int(slots[-1]) + 1)
        if n > old.size:
            K = np.empty((n, n))
            K[: old.size, : old.size] = self.K
            self.K = K
        kept = np.setdiff1d(np.arange(old.size), slots)
        self.active = np.concatenate([old, np.empty(n - old.size, np.int64)])
        self.active[slots] = new
        rows, others = max(1, PIECE // n), self.kernel.subset_kernel(self.active)
        for k in range(0, new.size, rows):
            K = self.kernel.block_towards(new[k : k + rows], others)
            write_kernel_rows(K, slots[k : k + rows], kept, self.kernel.clamp, self.K)

    def newton_on_examples(self, F: np.ndarray) -> None:
        """Solve E = 1 on the free examples F within the bounds by LAPACK; the others are fixed."""
        if not F.size:
            return
        K = np.empty((F.size, F.size))
        rows, others = max(1, PIECE // F.size), self.kernel.subset_kernel(F)
        for k in range(0, F.size, rows):
            K[k : k + rows] = self.kernel.block_towards(F[k : k + rows], others)
        K *= self.S[F]
        K *= self.S[F][:, None]
        x = self.x.copy()
        x[F], steps = solve_box(K, self.x[F], 1.0 - self.E[F], self.C[F])
        self.newton_steps += steps
        self.set_strengths(x)
