"""One proximal step of a small dense problem as one compiled call: Newton's method in w, as in `Proximal`.

There each Newton step makes some thirty calls from Python, which cost more than the arithmetic if P N is some
ten thousand.
"""

import numpy as np

from markone.numerics._rows import add_example, dot_example
from markone.numerics.compiling import entry
from markone.perceptron.margin._cholesky import factor_small_matrix, solve_factored
from markone.perceptron.margin._line_search import step_length


@entry
def proximal_direction(xi, S, inside, n, sigma, g, M, y, dw):
    """dw = -(N + sigma sum xi xi^T over the inside)^-1 g, in N or in n unknowns; False if it fails."""
    N = xi.shape[1]
    if n <= N:
        for i in range(n):
            y[i] = S[inside[i]] * dot_example(xi, inside[i], g)
            for j in range(i + 1):
                total = 0.0
                for k in range(N):
                    total += xi[inside[i], k] * xi[inside[j], k]
                M[i, j] = total * S[inside[i]] * S[inside[j]] / N
        if not factor_small_matrix(M, n, 1.0 / sigma):
            return False
        solve_factored(M, n, y)
        for j in range(N):
            dw[j] = -g[j] / N
        for i in range(n):
            add_example(xi, inside[i], y[i] * S[inside[i]] / (N * N), dw)
        return True
    for i in range(N):
        for j in range(i + 1):
            M[i, j] = 0.0
    for k in range(n):
        row = xi[inside[k]]
        for i in range(N):
            a = sigma * row[i]
            for j in range(i + 1):
                M[i, j] += a * row[j]
    if not factor_small_matrix(M, N, float(N)):
        return False
    for j in range(N):
        dw[j] = -g[j]
    solve_factored(M, N, dw)
    return True


@entry
def proximal_step(xi, S, norms, gamma, x, w, E, sigma, most):
    """Solve for w to a fraction of the change of x; overwrite x with the solution, w and E to match.

    Returns the number of Newton steps, -1 if a matrix could not be factorised (x is then unchanged).
    """
    P, N = xi.shape
    M, y, g, dw = np.empty((N, N)), np.empty(N), np.empty(N), np.empty(N)
    u, new, dE, inside = np.empty(P), np.empty(P), np.empty(P), np.empty(P, np.int64)
    made = 0
    while True:
        n, moved, length = 0, 0.0, 0.0
        for j in range(N):
            g[j] = N * w[j]
        for mu in range(P):
            u[mu] = x[mu] + sigma * (1.0 - E[mu])
            new[mu] = min(max(u[mu], 0.0), gamma[mu])
            if u[mu] > 0.0 and u[mu] < gamma[mu]:
                inside[n] = mu
                n += 1
            if new[mu] != 0.0:
                add_example(xi, mu, -new[mu] * S[mu], g)
                length += new[mu] * np.sqrt(norms[mu])
            moved += (new[mu] - x[mu]) ** 2
        rest = 0.0
        for j in range(N):
            rest += g[j] * g[j]
        enough = max(0.1 * np.sqrt(N * moved) / sigma, 1e-15 * length)
        if made == most or (made > 0 and np.sqrt(rest) <= enough):
            break
        if not proximal_direction(xi, S, inside, n, sigma, g, M, y, dw):
            return -1
        linear, bend = 0.0, 0.0
        for j in range(N):
            linear += N * w[j] * dw[j]
            bend += N * dw[j] * dw[j]
        for mu in range(P):
            dE[mu] = S[mu] * dot_example(xi, mu, dw) * sigma
        t = step_length(u, dE, gamma, sigma, linear, bend)
        made += 1
        if t == 0.0:
            break
        for j in range(N):
            w[j] += t * dw[j]
        for mu in range(P):
            E[mu] += t * dE[mu] / sigma
    for mu in range(P):
        x[mu] = new[mu]
    return made
