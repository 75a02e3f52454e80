"""The sums behind `proven`, each with a bound on its rounding, whatever the order of its terms."""

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.certificates._roundings import U
from markone.perceptron.feature_space._pairs import cut

# Kernels of so many support vectors are added at a time.
ROWS = 4


@proof_entry
def held_sums(K, clamp, who, S, x, support, copies, E, size):
    """E = S sum K S x and size = sum |K| x of all examples, K = matrix in memory + clamp, x > 0 in `support`.

    Both begin at zero. `copies` is memory for some rows; without it `who` is all examples of K in order.
    """
    n, terms, at = who.shape[0], support.shape[0], 0
    if copies.shape[0] > 0:
        at = cut(who)
    # Some rows at a time, one after the other: the sums are read and written for all of them once.
    for start in range(0, terms, ROWS):
        # What is missing to a full number adds zero times a row that is there.
        i, s = support[start], x[support[start]]
        j, t = (support[start + 1], x[support[start + 1]]) if start + 1 < terms else (i, 0.0)
        k, u = (support[start + 2], x[support[start + 2]]) if start + 2 < terms else (i, 0.0)
        m, v = (support[start + 3], x[support[start + 3]]) if start + 3 < terms else (i, 0.0)
        a, b = row_of(K, who, at, copies, 0, i), row_of(K, who, at, copies, 1, j)
        c, d = row_of(K, who, at, copies, 2, k), row_of(K, who, at, copies, 3, m)
        e, f, g, h = s * S[i], t * S[j], u * S[k], v * S[m]
        for j in range(n):
            E[j] = E[j] + e * (a[j] + clamp) + f * (b[j] + clamp) + g * (c[j] + clamp) + h * (d[j] + clamp)
        for j in range(n):
            own = size[j] + s * abs(a[j] + clamp) + t * abs(b[j] + clamp)
            size[j] = own + u * abs(c[j] + clamp) + v * abs(d[j] + clamp)
    for j in range(n):
        E[j] *= S[j]


@proof_part
def row_of(K, who, at, copies, k, i):
    """Kernels of example i with all examples `who`; those of one or two runs without gathering."""
    if copies.shape[0] == 0:
        return K[i]
    own, row, n = K[who[i]], copies[k], who.shape[0]
    if at >= 0:
        one = who[0]
        two = who[at] - at if at < n else one
        for j in range(at):
            row[j] = own[one + j]
        for j in range(at, n):
            row[j] = own[two + j]
    else:
        for j in range(n):
            row[j] = own[who[j]]
    return row


@proof_entry
def student_bounds(x, E, size, terms, a, b, C, top, error):
    """(lower, upper, relative gap) of kappa_max, to be rounded outwards once more; `top` = max K(xi, xi).

    `error` is told how far E can be from the truth, where |computed - true K| <= a a' + b + b' and `size` is
    the sum of the sizes of its `terms`.
    """
    n = x.shape[0]
    ax, bx, total = 0.0, 0.0, 0.0
    for j in range(n):
        ax += a[j] * x[j]
        bx += b[j] * x[j]
        total += x[j]
    for j in range(n):
        of_kernel = a[j] * ax + b[j] * total + bx
        of_sums = 2.0 * (terms + 12.0) * U * size[j]
        error[j] = (of_sums + of_kernel) * (1.0 + 4.0 * (n + 12) * U) + 1e-290
    total, xE, spread, amount, least, hard = 0.0, 0.0, 0.0, 0.0, np.inf, True
    for j in range(n):
        total += x[j]
        xE += x[j] * E[j]
        spread += x[j] * error[j]
        amount += x[j] * abs(E[j])
        least = min(least, E[j] - error[j])
        hard = hard and C[j] == np.inf
    spread += 4.0 * (n + 12) * U * amount
    longest = np.sqrt(max((xE + spread) * (1.0 + 8.0 * U), 0.0)) * (1.0 + 8.0 * U)
    shortest = np.sqrt(max((xE - spread) * (1.0 - 8.0 * U), 0.0)) * (1.0 - 8.0 * U)
    upper = longest / (total * (1.0 - 2.0 * (n + 12) * U)) * (1.0 + 8.0 * U)
    worst = -np.sqrt(top) * (1.0 + 1e-12)
    if least > 0.0:
        lower = least / longest * (1.0 - 8.0 * U)
    else:
        lower = max(least / shortest * (1.0 + 8.0 * U), worst) if shortest > 0.0 else worst
    if hard:
        return lower, upper, np.inf
    # Where some examples allow no error, the student is taken longer until their E is one.
    least = 1.0
    for j in range(n):
        if C[j] == np.inf:
            least = min(least, E[j] - error[j])
    if least <= 0.0:
        return lower, upper, np.inf
    hinge = 0.0
    for j in range(n):
        if C[j] < np.inf:
            hinge += C[j] * max(1.0 - (E[j] - error[j]) / least * (1.0 - 8.0 * U), 0.0)
    hinge *= 1.0 + 2.0 * (n + 12) * U
    reach = longest / least
    primal = (reach * reach / 2 + hinge) * (1.0 + 16.0 * U)
    dual = total * (1.0 - 2.0 * (n + 12) * U) - longest * longest / 2 * (1.0 + 16.0 * U)
    return lower, upper, max((primal - dual) / primal, 0.0)
