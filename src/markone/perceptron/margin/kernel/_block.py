"""AdaTron steps (4.6) on one example and on two, and greedy ascent inside a small block of examples."""

from markone.numerics._quotient import divide_unchecked
from markone.numerics.compiling import part


@part
def clipped_step(x, g, C, curvature):
    """The change of x by (4.6) with eta = 1 / G_mumu: to the maximum of the parabola, or to the bound."""
    return min(max(x + divide_unchecked(g, curvature), 0.0), C) - x


@part
def step_gain(x, g, C, curvature):
    """Gain of f by that step."""
    s = clipped_step(x, g, C, curvature)
    return s * (g - 0.5 * s * curvature)


@part
def partner_step(x, g, C, curvature, x_i, g_i, C_i, q_i, q_ij):
    """Joint steps of a partner and of i to the maximum of their paraboloid, each clipped; and the gain."""
    # float32 cannot tell nearly equal examples apart: keep the determinant away from its noise.
    det = max(q_i * curvature - q_ij * q_ij, 1e-6 * q_i * curvature)
    d = min(max(x + divide_unchecked(q_i * g - q_ij * g_i, det), 0.0), C) - x
    d_i = clipped_step(x_i, g_i - q_ij * d, C_i, q_i)
    return d, d_i, d * (g - 0.5 * curvature * d) + d_i * (g_i - 0.5 * q_i * d_i - q_ij * d)


@part
def ascend_block(Q, x, g, C, curvature, n, precision, most, score):
    """Make greedy steps inside the block until the largest gain has decreased to `precision` of the first.

    Two examples at a time: the one with the largest single gain, and the partner with the largest joint gain.
    Single steps converge slowly along the common component of all Psi, which SVMs with a free threshold do
    not have.
    """
    taken, goal = 0, -1.0
    while taken < most:
        for j in range(n):
            score[j] = step_gain(x[j], g[j], C[j], curvature[j])
        best, i = 0.0, -1
        for j in range(n):
            if score[j] > best:
                best, i = score[j], j
        if goal < 0.0:
            goal = precision * best
        # If K is not positive semi-definite x may grow without bound: stop before overflow.
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
            d_i = clipped_step(x_i, g_i, C_i, q_i)
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
