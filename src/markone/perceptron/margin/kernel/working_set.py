"""Working set of examples in feature space: blocks of AdaTron steps, and Newton steps on the free examples.

No P x P matrix is stored. The working set (the active examples) has its matrix Gamma (4.19) in memory in
float32; after each round E of the inactive examples is updated in float64, and before any decision (`settle`)
also that of the active ones. So rounding to float32 can slow the ascent but not change its result.
"""

from dataclasses import dataclass, field

import numpy as np

from markone.perceptron.margin.kernel._ascent import ascend_working_set, step_gains, write_gram_rows
from markone.perceptron.margin.kernel.box_newton import solve_box
from markone.perceptron.margin.kernel.mercer import Kernel

FIRST = 600  # initial size of the working set, and number that may always be added at once
BLOCK, KEEP, PRECISION = 256, 0.7, 0.03  # measured: see benchmarks/kernel_adatron.py
PIECE = 1 << 18  # kernel elements computed at once: two megabytes


def kernel_curvature(kernel: Kernel) -> np.ndarray:
    """K(xi, xi) of each example, replaced by a small positive number if it is zero."""
    diagonal = kernel.kernel_diagonal()
    least, most = float(diagonal.min()), float(diagonal.max())
    if not 0 <= least <= most < np.inf:
        raise ValueError(
            f"K(xi, xi) must be finite and >= 0 for every example (4.27); its smallest value is "
            f"{least:g}, its largest {most:g}."
        )
    if most > 1e30 or 0 < most < 1e-30:
        raise ValueError(
            f"K(xi, xi) reaches {most:.3g}, out of the range of single precision. "
            "Scale the inputs, or lower degree, gamma or coef0."
        )
    return np.maximum(diagonal, 1e-12 * most or 1.0)


@dataclass
class WorkingSet:
    kernel: Kernel
    S: np.ndarray
    C: np.ndarray
    cache_mb: float
    steps: int = 0
    newton_steps: int = 0
    # Fraction of the memory reserved for Newton's method.
    for_newton: float = 0.5
    x: np.ndarray = field(init=False)
    E: np.ndarray = field(init=False)
    curvature: np.ndarray = field(init=False)
    active: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        P = self.S.shape[0]
        self.x, self.E, self.active = np.zeros(P), np.zeros(P), np.empty(0, np.int64)
        self.settled_x, self.settled_E, self.stale = np.zeros(P), np.zeros(P), np.zeros(P, bool)
        self.curvature = kernel_curvature(self.kernel)
        self.most_active = min(P, max(2, int(np.sqrt((1.0 - self.for_newton) * self.cache_mb * 1e6 / 4))))
        self.most_free = max(2, int(np.sqrt(self.for_newton * self.cache_mb * 1e6 / 16)))
        self.G = np.empty((0, 0), np.float32)

    def change_strengths(self, mu: np.ndarray, change: np.ndarray) -> None:
        """Add `change` to x^mu and update E of all examples."""
        self.settle()
        self.x[mu] += change
        self.stale[:] = True
        self.settle()

    def settle(self) -> None:
        """Recompute in float64 every E that was updated in float32."""
        if self.stale.any():
            stale, changed = np.flatnonzero(self.stale), np.flatnonzero(self.x != self.settled_x)
            self.E[stale] = self.settled_E[stale]
            self._add_to_potentials(stale, changed, (self.x - self.settled_x)[changed])
            self.settled_x, self.settled_E = self.x.copy(), self.E.copy()
            self.stale[:] = False

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
        return step_gains(self.x, self.E, self.C, self.curvature)

    def add_violators(self, generator: np.random.Generator) -> None:
        """Add a random sample of violating examples to the working set, replacing inactive ones if necessary.

        A uniform sample, since the largest violations are outliers, on which a student generalises badly.
        """
        gained = self.all_gains()
        outside = np.where(gained > 0, generator.random(gained.size), 0.0)
        outside[self.active] = 0.0
        number = min(int(np.count_nonzero(outside)), self._max_new(), self._max_replaced())
        if number == 0:
            return
        places = self._choose_slots(gained, number)
        new = np.argpartition(outside, -number)[-number:]
        self._load_rows(np.sort(new), np.sort(places))

    def _max_new(self) -> int:
        return max(FIRST, self.active.size or self.S.size // 5)

    def _max_replaced(self) -> int:
        """At most half of a full working set is replaced, else the removed examples would return at once."""
        return max(self.most_active - self.active.size, (self.most_active + 1) // 2)

    def _choose_slots(self, gained: np.ndarray, number: int) -> np.ndarray:
        """Slots to fill: of examples with x = 0, largest E first; unused; at x = C; the others."""
        A, unused = self.active, np.arange(self.active.size, self.most_active)
        x, E, rests = self.x[A], self.E[A], gained[A] == 0
        rank = np.where(rests & (x == 0), 0, np.where(rests & (x == self.C[A]), 2, 3))
        order = np.lexsort((np.where(rank == 0, -E, np.where(rank == 2, E, gained[A])), rank))
        nothing = np.count_nonzero(rank == 0)
        places = np.concatenate([order[:nothing], unused, order[nothing:]])
        return places[:number]

    def _load_rows(self, new: np.ndarray, places: np.ndarray) -> None:
        """Load the rows and columns of Gamma for the new examples."""
        n = max(self.active.size, int(places[-1]) + 1)
        self._grow_matrix(n)
        old = np.setdiff1d(np.arange(self.active.size), places)
        self.active = np.concatenate([self.active, np.empty(n - self.active.size, np.int64)])
        self.active[places] = new
        rows, others = max(1, PIECE // n), self.kernel.subset_kernel(self.active)
        for k in range(0, new.size, rows):
            K = self.kernel.block_towards(new[k : k + rows], others)
            write_gram_rows(K, places[k : k + rows], self.S[self.active], old, self.G)

    def _grow_matrix(self, n: int) -> None:
        """Enlarge Gamma to n examples in place; memory is committed only when used."""
        old, side = self.G, self.G.shape[0]
        if n <= side:
            return
        if side == 0:
            self.memory = np.empty(self.most_active**2, np.float32)
        side = min(self.most_active, max(n, side + side // 4))
        self.G = self.memory[: side * side].reshape(side, side)
        # The last row first, so that none is overwritten before it is moved.
        for row in range(self.active.size - 1, 0, -1):
            self.G[row, : self.active.size] = old[row, : self.active.size].copy()

    def climb(self, goal: float, most: int) -> None:
        """Make AdaTron steps on the active examples."""
        A, block = self.active, min(BLOCK, self.active.size)
        x, E, C, curvature = self.x[A], self.E[A], self.C[A], self.curvature[A]
        resting = self._inactive_sums()
        self.steps += ascend_working_set(
            self.G, A.size, x, E, C, curvature, resting, block, KEEP, PRECISION, goal, most
        )
        change = x - self.x[A]
        self.x[A], self.E[A] = x, E
        self.stale[A] = True
        self._add_to_potentials(np.flatnonzero(self._inactive_mask()), A[change != 0], change[change != 0])

    def _inactive_mask(self) -> np.ndarray:
        inactive = np.ones(self.S.size, bool)
        inactive[self.active] = False
        return inactive

    def _inactive_sums(self) -> np.ndarray:
        """Contributions of the inactive examples to x.E, sum x and sum C (1 - E)_+."""
        inactive = self._inactive_mask() & (self.x > 0)
        x, E, C = self.x[inactive], self.E[inactive], self.C[inactive]
        soft = np.isfinite(C)
        return np.array([x @ E, x.sum(), C[soft] @ np.maximum(1 - E[soft], 0)])

    def free_examples(self) -> np.ndarray:
        """Examples strictly between the bounds, and those at a bound that violate Kuhn-Tucker."""
        inside = (self.x > 0) & (self.x < self.C)
        return np.flatnonzero(inside | (self.all_gains() > 0))

    def newton_on_examples(self, F: np.ndarray) -> None:
        """Solve E = 1 on the free examples F within the bounds; the others are fixed."""
        K = np.empty((F.size, F.size))
        rows, others = max(1, PIECE // F.size), self.kernel.subset_kernel(F)
        for k in range(0, F.size, rows):
            K[k : k + rows] = self.kernel.block_towards(F[k : k + rows], others)
        K *= self.S[F]
        K *= self.S[F][:, None]
        x, steps = solve_box(K, self.x[F], 1.0 - self.E[F], self.C[F])
        self.newton_steps += steps
        self.change_strengths(F, x - self.x[F])
