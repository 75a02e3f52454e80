"""The AdaTron's step (4.6) on one example, on two, and greedy climbing inside one small block of examples."""

from markone.numerics._quotient import quotient
from markone.numerics.compiling import part


@part
def step(x, g, C, curvature):
    """The change of x by (4.6) with eta = 1 / G_mumu: onto the top of the parabola, or to the bound."""
    return min(max(x + quotient(g, curvature), 0.0), C) - x


@part
def gain(x, g, C, curvature):
    """What that step adds to f."""
    s = step(x, g, C, curvature)
    return s * (g - 0.5 * s * curvature)


@part
def partner_step(x, g, C, curvature, x_i, g_i, C_i, q_i, q_ij):
    """Steps of a partner and of i onto the top of their common paraboloid, clipped in turn; the gain."""
    # float32 cannot tell nearly equal examples apart: keep the determinant away from its noise.
    det = max(q_i * curvature - q_ij * q_ij, 1e-6 * q_i * curvature)
    d = min(max(x + quotient(q_i * g - q_ij * g_i, det), 0.0), C) - x
    d_i = step(x_i, g_i - q_ij * d, C_i, q_i)
    return d, d_i, d * (g - 0.5 * curvature * d) + d_i * (g_i - 0.5 * q_i * d_i - q_ij * d)


@part
def climb_block(Q, x, g, C, curvature, n, precision, most, score):
    """Greedy steps inside the block until the best gain has fallen to `precision` of the first.

    Two examples at a time: the one that gains most alone, and the partner with which it gains most. Alone
    it would have to fight the component all Psi have in common, which SVMs with a free threshold do not see.
    """
    taken, goal = 0, -1.0
    while taken < most:
        for j in range(n):
            score[j] = gain(x[j], g[j], C[j], curvature[j])
        best, i = 0.0, -1
        for j in range(n):
            if score[j] > best:
                best, i = score[j], j
        if goal < 0.0:
            goal = precision * best
        # A kernel that is none lets x grow for ever: stop before it overflows.
        if i < 0 or best <= goal or x[i] > 1e60:
            break
        x_i, g_i, C_i, q_i, row = x[i], g[i], C[i], curvature[i], Q[i]
        for j in range(n):
            _, _, score[j] = partner_step(x[j], g[j], C[j], curvature[j], x_i, g_i, C_i, q_i, row[j])
        score[i] = 0.0
        k = -1
        for j in range(n):
            if score[j] > best:
                best, k = score[j], j
        if k < 0:
            d_i = step(x_i, g_i, C_i, q_i)
            for j in range(n):
                g[j] -= d_i * row[j]
        else:
            d, d_i, best = partner_step(x[k], g[k], C[k], curvature[k], x_i, g_i, C_i, q_i, row[k])
            x[k] += d
            other = Q[k]
            for j in range(n):
                g[j] -= d_i * row[j] + d * other[j]
            taken += 1
        x[i] += d_i
        taken += 1
    return taken
