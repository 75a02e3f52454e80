"""Matrix LVQ1: LVQ1 with the distance |Omega (xi - w)|^2 of (5.14), Omega learned along with the prototypes.

With v = xi - w* of the winner, u = Omega v and g = Omega^T u, (5.9) for both (5.15: signs and factors
corrected) is

    w*    += s Psi g
    Omega -= t Psi u v^T,   then divided by its norm: sum_ij Omega_ij^2 = 1

in units that make the rates pure numbers: s = eta |g|^2/|Omega g|^2, the step that would bring w* nearest
to xi along g for eta = 1 (Omega ~ 1: LVQ1), and t = eta_O/|v|^2, the one that would take the direction v
out of Omega for eta_O = 1. The images q = Omega w of all prototypes follow in O(r) each: O(r N + M (r + N))
operations per example.
"""

import math

import numpy as np

from markone.lvq.solvers.online._winner_takes_all import scheduled_rate
from markone.numerics._random import pick_example
from markone.numerics.compiling import entry, part


@part
def omega_times(omega, x, out):
    """out = Omega x; returns |out|^2."""
    square = 0.0
    for i in range(omega.shape[0]):
        total = 0.0
        for k in range(omega.shape[1]):
            total += omega[i, k] * x[k]
        out[i] = total
        square += total * total
    return square


@part
def metric_gradient(omega, u, xi, mu, g):
    """g = Omega^T u, zero where the feature is missing (no update there); returns |g|^2."""
    for k in range(omega.shape[1]):
        g[k] = 0.0
    for i in range(omega.shape[0]):
        for k in range(omega.shape[1]):
            g[k] += omega[i, k] * u[i]
    square = 0.0
    for k in range(omega.shape[1]):
        if np.isnan(xi[mu, k]):
            g[k] = 0.0
        square += g[k] * g[k]
    return square


@part
def masked_difference(xi, mu, w, j, v):
    """v = xi^mu - w^j, zero where the feature is missing; returns |v|^2."""
    square = 0.0
    for k in range(v.shape[0]):
        v[k] = xi[mu, k] - w[j, k]
        if np.isnan(v[k]):
            v[k] = 0.0
        square += v[k] * v[k]
    return square


@part
def nearest_image(xi, mu, w, omega, q, v, u, missing):
    """Index of the winner. With missing features the images of w cannot be used."""
    best, winner = np.inf, 0
    if not missing:
        omega_times(omega, xi[mu], u)
    for j in range(w.shape[0]):
        d = 0.0
        if missing:
            masked_difference(xi, mu, w, j, v)
            d = omega_times(omega, v, u)
        else:
            for i in range(u.shape[0]):
                d += (u[i] - q[j, i]) ** 2
        if d < best:
            best, winner = d, j
    return winner


@part
def update_omega(omega, u, v, uu, vv, step):
    """Omega -= step u v^T, normalised; returns the factor of the normalisation."""
    # |Omega - s u v^T|^2 with |Omega| = 1 and u = Omega v
    norm = 1.0 - 2.0 * step * uu + step * step * uu * vv
    if vv < 1e-100:  # the square of the step may overflow
        norm = 1.0 - 2.0 * (step * uu) + (step * uu) * (step * vv)
    scale = 1.0 / math.sqrt(norm)
    for i in range(u.shape[0]):
        for k in range(v.shape[0]):
            omega[i, k] = scale * (omega[i, k] - step * u[i] * v[k])
    return scale


@part
def update_images(w, q, u, v, step, scale):
    """Update the images of all prototypes after the update of Omega."""
    for j in range(w.shape[0]):
        along = 0.0
        for k in range(v.shape[0]):
            along += v[k] * w[j, k]
        for i in range(u.shape[0]):
            q[j, i] = scale * (q[j, i] - step * u[i] * along)


@entry
def matrix_lvq1_epoch(
    xi, y, weight, w, c, omega, eta, eta_omega, schedule, tau, t, order, turn, state, missing
):
    """P presentations from time t (in epochs) on; returns the mean of Psi d(w*, xi) and the wrong winners."""
    P, N = xi.shape
    M, r = w.shape[0], omega.shape[0]
    q, v, g, u, ahead = np.empty((M, r)), np.empty(N), np.empty(N), np.empty(r), np.empty(r)
    # Norm and images are recomputed in each epoch, to bound the rounding error.
    norm = 0.0
    for a in range(r):
        for k in range(N):
            norm += omega[a, k] ** 2
    for a in range(r):
        for k in range(N):
            omega[a, k] /= math.sqrt(norm)
    for j in range(M):
        omega_times(omega, w[j], q[j])
    cost, wrong = 0.0, 0
    for i in range(P):
        mu = pick_example(order, i, turn, state)
        winner = nearest_image(xi, mu, w, omega, q, v, u, missing)
        psi = 1.0 if c[winner] == y[mu] else -1.0
        vv = masked_difference(xi, mu, w, winner, v)
        uu = omega_times(omega, v, u)
        cost += psi * uu
        wrong += 0 if psi > 0.0 else 1
        if uu == 0.0:
            continue
        gg = metric_gradient(omega, u, xi, mu, g)
        steepness = omega_times(omega, g, ahead)
        fallen = scheduled_rate(schedule, 1.0, tau, t + i / P) * weight[mu]
        if steepness > 0.0:
            step = psi * min(eta * fallen, 1.0) * gg / steepness
            for k in range(N):
                w[winner, k] += step * g[k]
            for a in range(r):
                q[winner, a] += step * ahead[a]
        turning = psi * min(eta_omega * fallen, 0.5) / vv
        if turning != 0.0:
            update_images(w, q, u, v, turning, update_omega(omega, u, v, uu, vv, turning))
    return cost / P, wrong
