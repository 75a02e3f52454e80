"""Clusters with their own means, covariances and labels (Loureiro et al. 2021); the Gaussian twin of a table.

For cluster c: M_c = w.mu_c, q_c = w' Sigma_c w, V_c. With A = (l2 + sum_c V_hat_c Sigma_c)^-1 and
w0 = A sum_c m_hat_c mu_c the weights' side is M_c = mu_c.w0, V_c = Tr(Sigma_c A)/N and
q_c = w0' Sigma_c w0 + sum_c' q_hat_c' Tr(A Sigma_c A Sigma_c')/N.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, phi
from markone.numerics.roots import newton_roots
from markone.perceptron.theory.engine.inputs import Clusters
from markone.perceptron.theory.engine.losses import Loss, find_loss
from markone.perceptron.theory.engine.prox_integrals import FieldNodes, field_nodes, gaussian_edges
from markone.perceptron.theory.engine.solution import COLUMNS, Solution
from markone.perceptron.theory.engine.worlds import observe_fields

# Nodes per panel; roots are checked, and observed, with twice as many.
NODES, RESIDUAL = 20, 1e-9
NO_ROOT = "no root was found"
UNPENALISED = "clusters and classes need an l2 penalty: without one the minimiser may run away"


@dataclass(frozen=True)
class ClusterEquations:
    """The equations of one set of clusters: unknown are M_c/sqrt(q_c), ln q_c, ln V_c and arsinh b."""

    means: Array
    covariances: Array
    shares: Array
    labels: Array
    loss: Loss
    intercept: bool

    def unpack(self, x: Array) -> tuple[Array, Array, Array, Array]:
        C = len(self.shares)
        q, V = np.exp(x[C : 2 * C]), np.exp(x[2 * C : 3 * C])
        return x[:C] * np.sqrt(q), q, V, self.loss.scale * np.sinh(x[3 * C]) * self.intercept

    def nodes_of(self, x: Array, c: int, n: int = 2 * NODES) -> tuple[FieldNodes, Array]:
        """Nodes of cluster c and their probabilities."""
        M, q, V, b = self.unpack(x)
        mean, width = self.labels[c] * (M[c] + b), np.sqrt(q[c])
        nodes = field_nodes(self.loss, V[c], gaussian_edges(mean, width), n)
        mean, width = mean[nodes.problem, None], width[nodes.problem, None]
        return nodes, phi((nodes.e - mean) / width) / width

    def _average_forces(self, x: Array, n: int) -> Array:
        """<g>, <g^2>, -<dg> of each cluster, shape (3, C, m)."""
        rows = []
        for c, y in enumerate(self.labels):
            nodes, p = self.nodes_of(x, c, n)
            factors = ((nodes.v,), (nodes.v, nodes.v), (nodes.stiffness,))
            force, force2, stiffness = (nodes.integrate_density(p, *one) for one in factors)
            rows.append([y * force, force2, stiffness])
        return np.array(rows).transpose(1, 0, 2) * self.shares[:, None]

    def update_weights(
        self, x: Array, alpha: Array, l2: Array, n: int = 2 * NODES
    ) -> tuple[Array, Array, Array, Array, Array]:
        """M, q, V of each cluster, the step of b in its unit and |w|^2."""
        forces = self._average_forces(x, n)
        m_hat, q_hat, V_hat = alpha * forces
        S, N = self.covariances, self.means.shape[1]
        if S.ndim == 2:
            A = 1 / (l2[:, None] + V_hat.T @ S)
            w0 = A * (m_hat.T @ self.means)
            SA = S[:, None] * A
            V, q0 = SA.sum(-1) / N, (w0 * w0) @ S.T
            cross = np.einsum("cmi,dmi->cdm", SA, SA, optimize=True) / N
            spread = (A * A * (q_hat.T @ S)).sum(-1) / N
        else:
            A = np.linalg.inv(l2[:, None, None] * np.eye(N) + np.einsum("cm,cij->mij", V_hat, S))
            w0 = np.einsum("mij,cm,cj->mi", A, m_hat, self.means, optimize=True)
            SA = S[:, None] @ A
            V, q0 = np.trace(SA, axis1=-2, axis2=-1) / N, np.einsum("mi,cij,mj->mc", w0, S, w0, optimize=True)
            cross = np.einsum("cmij,dmji->cdm", SA, SA, optimize=True) / N
            spread = np.einsum("cm,mij,cmji->m", q_hat, A, SA, optimize=True) / N
        q = q0.T + np.einsum("cdm,dm->cm", cross, q_hat)
        stiffness, (_, _, _, b) = forces[2].sum(0), self.unpack(x)
        unit = np.exp(x[len(S) : 2 * len(S)] / 2).max(0) + 0.1 * (
            np.abs(b) + np.sqrt(forces[1].sum(0)) / stiffness
        )
        step = forces[0].sum(0) / stiffness / unit
        # M moves all fields: without the answer -V_hat of the forces steps would be too long for far means.
        tied = np.einsum(
            "ci,mi,di->mcd" if S.ndim == 2 else "ci,mij,dj->mcd", self.means, A, self.means, optimize=True
        )
        answer = tied * V_hat.T[:, None, :]
        wanted = self.means @ w0.T + np.einsum("mcd,dm->cm", answer, self.unpack(x)[0])
        M = np.linalg.solve(np.eye(len(S)) + answer, wanted.T[..., None])[..., 0].T
        return M, q, V, step, (w0 * w0).sum(-1) + spread

    def log_residuals(self, x: Array, alpha: Array, l2: Array, n: int = NODES) -> Array:
        M, q, V, _ = self.unpack(x)
        new_M, new_q, new_V, step, _ = self.update_weights(x, alpha, l2, n)
        rows = [(new_M - M) / np.sqrt(q), np.log(new_q / q), np.log(new_V / V)]
        return np.concatenate([*rows, (step if self.intercept else -x[-1])[None]])

    def _iterate_damped(self, x: Array, alpha: Array, l2: Array, times: int, factor: float) -> Array:
        for _ in range(times):
            step = np.clip(factor * self.log_residuals(x, alpha, l2), -1, 1)
            x = x + np.where(np.isfinite(step), step, 0.0)
        return x

    def find_roots(self, all_alpha: Array, all_l2: Array) -> Array:
        """The unknowns, NaN where no root is found: directly, or from a large penalty on."""
        C, alpha, l2 = len(self.shares), all_alpha, all_l2
        start = np.tile(np.concatenate([0.1 * self.labels, np.zeros(2 * C + 1)])[:, None], alpha.size)
        x = newton_roots(self.log_residuals, self._iterate_damped(start, alpha, l2, 25, 0.5), (alpha, l2)).x
        lost = np.isnan(x[0])
        if lost.any():
            here, alpha, l2 = start[:, lost], all_alpha[lost], all_l2[lost]
            now = np.maximum(l2, 30 * np.maximum(alpha, 1.0))
            while True:
                here = self._iterate_damped(here, alpha, now, 12, 0.3)
                found = newton_roots(self.log_residuals, here, (alpha, now)).x
                here = np.where(np.isnan(found), here, found)
                if (now <= l2).all():
                    break
                now = np.maximum(l2, now / 3)
            x[:, lost] = found
        check = np.abs(self.log_residuals(x, all_alpha, all_l2, 2 * NODES)).max(axis=0)
        return np.where(check < RESIDUAL, x, np.nan)


@np.errstate(all="ignore")
def solve_clusters(
    world: Clusters, loss: Loss, alpha: Array, l2: Array, intercept: bool, shape: tuple[int, ...]
) -> Solution:
    """The record of `theory.solve` for clusters; R and m do not exist there."""
    equations = ClusterEquations(*world.arrays(), loss, intercept)
    out = {name: np.full(alpha.shape, np.nan) for name in (*COLUMNS, "support", "nonzero")}
    reason = np.where(l2 > 0, "", UNPENALISED).astype(object)
    ready = (alpha > 0) & (l2 > 0)
    x = np.full((3 * len(equations.shares) + 1, alpha.size), np.nan)
    if ready.any():
        x[:, ready] = equations.find_roots(alpha[ready], l2[ready])
    ok = np.isfinite(x[0])
    reason[ready & ~ok] = NO_ROOT
    reason[alpha == 0] = "alpha = 0: no examples"
    if ok.any():
        _observe(equations, x[:, ok], alpha[ok], l2[ok], out, ok)
    named: dict[str, Any] = {name: values.reshape(shape) for name, values in out.items()}
    family = f"loss {loss.text}, {len(equations.shares)} clusters, l2" + ", b fitted" * intercept
    texts = reason.astype(str).reshape(shape)
    return Solution(alpha.reshape(shape), ok=ok.reshape(shape), reason=texts, family=family, **named)


def _observe(
    equations: ClusterEquations, x: Array, alpha: Array, l2: Array, out: dict[str, Array], ok: Array
) -> None:
    """Errors, loss, support and |w|, averaged over clusters; q and V are weighted means."""
    M, q, V, b = equations.unpack(x)
    totals = np.zeros((5, b.size))
    for c, (share, y) in enumerate(zip(equations.shares, equations.labels, strict=True)):
        nodes, p = equations.nodes_of(x, c)
        observed = observe_fields(equations.loss, nodes)[:3]
        totals[:3] += share * np.array([nodes.integrate_density(p, one) for one in observed])
        totals[3] += share * Phi(-y * (M[c] + b) / np.sqrt(q[c]))
    for name, row in zip(("epsilon_t", "loss", "support", "epsilon_g"), totals, strict=False):
        out[name][ok] = row
    out["q"][ok], out["V"][ok], out["b"][ok] = equations.shares @ q, equations.shares @ V, b
    out["norm"][ok] = np.sqrt(equations.update_weights(x, alpha, l2)[4])
    out["nonzero"][ok] = 1.0


def twin(
    X: ArrayLike, y: ArrayLike, alpha: ArrayLike | None = None, loss: Any = "logistic", l2: ArrayLike = 1.0
) -> Solution:
    """Return the learning curve of the Gaussian twin of a table, by its class means and covariances.

    A real table is not Gaussian: the curve has the right shape and size, but is not exact for the table. The
    intercept is fitted. Columns should have variances of order one.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The table.
    y : array-like of shape (n_samples,)
        Two labels; the larger one is +1.
    alpha : array-like, optional
        Training examples per column; the table's own number if None.
    loss : str, callable or Loss
        As in `solve`.
    l2 : array-like
        Penalty; LogisticRegression and LinearSVC have C = 1/(N l2).

    Returns
    -------
    Solution
        The curve of the twin.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import theory
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([-1, 1], 500)
    >>> X = rng.normal(size=(1000, 5)) + y[:, None] * [1.0, 0, 0, 0, 0]
    >>> bool(0.15 < theory.twin(X, y, alpha=10.0).epsilon_g < 0.2)
    True
    """
    table, labels = np.asarray(X, dtype=float), np.asarray(y)
    classes = np.unique(labels)
    if table.ndim != 2 or labels.shape != table.shape[:1] or not np.isfinite(table).all():
        raise ValueError("X must be a table of finite numbers with one label for each row.")
    if len(classes) != 2:
        raise ValueError(f"The twin is for two classes; y has {len(classes)}.")
    rows = [table[labels == one] for one in classes]
    if min(map(len, rows)) < 2:
        raise ValueError("Each class needs at least two rows for its covariance.")
    world = Clusters(
        [part.mean(axis=0) for part in rows],
        [np.atleast_2d(np.cov(part.T)) for part in rows],
        np.array([len(part) / len(table) for part in rows]),
        (-1, 1),
    )
    points = table.shape[0] / table.shape[1] if alpha is None else alpha
    arrays = np.broadcast_arrays(np.asarray(points, dtype=float), np.asarray(l2, dtype=float))
    flat = [a.ravel().copy() for a in arrays]
    return solve_clusters(world, find_loss(loss), flat[0], flat[1], True, arrays[0].shape)
