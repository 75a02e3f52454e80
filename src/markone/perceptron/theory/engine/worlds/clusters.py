"""Clusters with their own means, covariances and labels (Loureiro et al. 2021); the Gaussian twin of a table.

For cluster c: M_c = w.mu_c, q_c = w' Sigma_c w, V_c. With A = (l2 + sum_c V_hat_c Sigma_c)^-1 and
w0 = A sum_c m_hat_c mu_c the weights' side is M_c = mu_c.w0, V_c = Tr(Sigma_c A)/N and
q_c = w0' Sigma_c w0 + sum_c' q_hat_c' Tr(A Sigma_c A Sigma_c')/N.
"""

from dataclasses import dataclass, field

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, phi
from markone.perceptron.theory.engine.equations import NODES, UNPENALISED, Arguments, Equations
from markone.perceptron.theory.engine.prox_integrals import FieldNodes, field_nodes, gaussian_edges
from markone.perceptron.theory.engine.worlds.world import observe_fields


@dataclass(frozen=True)
class ClusterEquations(Equations):
    """The equations of one set of clusters: unknown are arsinh(M_c/sqrt(q_c)), ln q_c and ln V_c."""

    means: Array = field(repr=False)
    covariances: Array = field(repr=False)
    shares: Array
    labels: Array

    def find_start(self) -> Array:
        return np.concatenate([0.1 * self.labels, np.zeros(2 * len(self.shares) + self.intercept)])

    def find_large_penalty(self, args: Arguments) -> Array:
        """So large that learning moves no field by more than the range of the loss."""
        reach = (self.means**2).sum(axis=1).max() + self.covariances.max()
        return np.maximum(args[3], 10 * (1 + args[0] * reach * self.loss.force / self.loss.scale))

    def unpack(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """M, q, V of each cluster, and b."""
        C = len(self.shares)
        q, V = np.exp(x[C : 2 * C]), np.exp(x[2 * C : 3 * C])
        return np.sqrt(q) * np.sinh(x[:C]), q, V, self.intercept_of(x)

    def field_width(self, x: Array) -> Array:
        return np.sqrt(self.unpack(x)[1].max(axis=0))

    def nodes_of(self, x: Array, c: int, n: int) -> tuple[FieldNodes, Array]:
        """Nodes of cluster c and their probabilities."""
        M, q, V, b = self.unpack(x)
        mean, width = self.labels[c] * (M[c] + b), np.sqrt(q[c])
        nodes = field_nodes(self.loss, V[c], gaussian_edges(mean, width), n)
        mean, width = mean[nodes.problem, None], width[nodes.problem, None]
        return nodes, phi((nodes.e - mean) / width) / width

    def average_forces(self, x: Array, n: int) -> Array:
        """<g>, <g^2>, -<dg> of each cluster, shape (3, C, m)."""
        rows = []
        for c, y in enumerate(self.labels):
            nodes, p = self.nodes_of(x, c, n)
            factors = ((nodes.v,), (nodes.v, nodes.v), (nodes.stiffness,))
            force, force2, stiffness = (nodes.integrate_density(p, *one) for one in factors)
            rows.append([y * force, force2, stiffness])
        return np.array(rows).transpose(1, 0, 2) * self.shares[:, None]

    def invert_stiffness(self, forces: Array, alpha: Array, l2: Array) -> Array:
        """A, or its diagonal."""
        V_hat, S, N = alpha * forces[2], self.covariances, self.means.shape[1]
        if S.ndim == 2:
            return 1 / (l2[:, None] + V_hat.T @ S)
        return np.linalg.inv(l2[:, None, None] * np.eye(N) + np.einsum("cm,cij->mij", V_hat, S))

    def move_fields(self, M: Array, forces: Array, alpha: Array, A: Array) -> Array:
        """Steps of M, and of b, together: a force answers by -V_hat to every step of its field.

        With T = mu A mu: M + dM = T (m_hat - V_hat (dM + db)), and the sum of all forces on b vanishes.
        """
        means, stiffness = self.means, forces[2].T
        T = np.einsum("ci,mi,di->mcd" if A.ndim == 2 else "ci,mij,dj->mcd", means, A, means, optimize=True)
        answer = T * (alpha * forces[2]).T[:, None, :]
        system = np.eye(len(M)) + answer
        wanted = np.einsum("mcd,dm->mc", T, alpha * forces[0]) - M.T
        if self.intercept:
            # Where no force depends on b its step is infinite.
            total = np.maximum(stiffness.sum(-1, keepdims=True), 1e-300)
            last = np.concatenate([answer.sum(-1), total], axis=1)
            system = np.concatenate([system, stiffness[:, None]], axis=1)
            system = np.concatenate([system, last[..., None]], axis=2)
            wanted = np.column_stack([wanted, forces[0].sum(0)])
        return np.linalg.solve(system, wanted[..., None])[..., 0].T

    def update_weights(self, forces: Array, alpha: Array, A: Array) -> tuple[Array, Array, Array]:
        """q, V of each cluster and |w|^2."""
        (m_hat, q_hat, _), S, N = alpha * forces, self.covariances, self.means.shape[1]
        if S.ndim == 2:
            w0 = A * (m_hat.T @ self.means)
            SA = S[:, None] * A
            V, q0 = SA.sum(-1) / N, (w0 * w0) @ S.T
            cross = np.einsum("cmi,dmi->cdm", SA, SA, optimize=True) / N
            spread = (A * A * (q_hat.T @ S)).sum(-1) / N
        else:
            w0 = np.einsum("mij,cm,cj->mi", A, m_hat, self.means, optimize=True)
            SA = S[:, None] @ A
            V, q0 = np.trace(SA, axis1=-2, axis2=-1) / N, np.einsum("mi,cij,mj->mc", w0, S, w0, optimize=True)
            cross = np.einsum("cmij,dmji->cdm", SA, SA, optimize=True) / N
            spread = np.einsum("cm,mij,cmji->m", q_hat, A, SA, optimize=True) / N
        return q0.T + np.einsum("cdm,dm->cm", cross, q_hat), V, (w0 * w0).sum(-1) + spread

    def find_steps(self, x: Array, args: Arguments, n: int) -> tuple[Array, Array]:
        alpha, _, _, l2 = args
        C, (M, q, V, b) = len(self.shares), self.unpack(x)
        forces = self.average_forces(x, n)
        A = self.invert_stiffness(forces, alpha, l2)
        step = self.move_fields(M, forces, alpha, A)
        # Forces after the step: for far means they nearly cancel, and are known by their answer only.
        moved = forces[0] - forces[2] * (step[:C] + step[C:].sum(axis=0))
        new_q, new_V, _ = self.update_weights(np.stack([moved, *forces[1:]]), alpha, A)
        residuals = [step[:C] / np.hypot(M, np.sqrt(q)), np.log([*new_q / q, *new_V / V])]
        if not self.intercept:
            return np.concatenate(residuals), np.concatenate(residuals)
        unit = self.field_width(x) + 0.1 * (np.abs(b) + np.sqrt(forces[1].sum(0)) / forces[2].sum(0))
        moves = [*residuals, step[C:] / np.hypot(self.loss.scale, b)]
        return np.concatenate([*residuals, step[C:] / unit]), np.concatenate(moves)

    def refuse_points(self, args: Arguments) -> Array:
        reason = np.where(args[3] > 0, "", UNPENALISED).astype(object)
        reason[args[0] == 0] = "alpha = 0: no examples"
        return reason

    def observe(self, x: Array, args: Arguments) -> dict[str, Array]:
        """Errors, loss, support and |w|, averaged over clusters; q and V are weighted means."""
        alpha, _, _, l2 = args
        M, q, V, b = self.unpack(x)
        totals = np.zeros((4, b.size))
        for c, (share, y) in enumerate(zip(self.shares, self.labels, strict=True)):
            nodes, p = self.nodes_of(x, c, 2 * NODES)
            observed = observe_fields(self.loss, nodes)[:3]
            totals[:3] += share * np.array([nodes.integrate_density(p, one) for one in observed])
            totals[3] += share * Phi(-y * (M[c] + b) / np.sqrt(q[c]))
        forces = self.average_forces(x, 2 * NODES)
        norm2 = self.update_weights(forces, alpha, self.invert_stiffness(forces, alpha, l2))[2]
        found = dict(zip(("epsilon_t", "loss", "support", "epsilon_g"), totals, strict=True))
        found |= {"q": self.shares @ q, "V": self.shares @ V, "b": b}
        return found | {"norm": np.sqrt(norm2), "nonzero": np.ones_like(b)}
