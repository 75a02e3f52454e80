"""Sums for `proven`, each with a bound on its rounding that holds for any order of the terms."""

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.margin.kernel._pairs import second_run_start
from markone.perceptron.separable._roundings import U

# Number of support vectors whose rows are added at a time.
ROWS = 4


@proof_entry
def matrix_sums(K, clamp, indices, S, x, support, copies, E, size):
    """Compute E = S sum K S x and size = sum |K| x of all examples; K = matrix + clamp, x > 0 in `support`.

    Both must be zero on entry. `copies` is a buffer for some rows; if empty, `indices` are 0, 1, 2, ...
    """
    n, terms = indices.shape[0], support.shape[0]
    at = n if copies.shape[0] == 0 else second_run_start(indices)
    gathered = at < 0
    at = n if gathered else at
    # Four rows at a time: the sums are read and written once for all of them.
    for start in range(0, terms, ROWS):
        # Missing rows are replaced by an existing one with factor zero.
        i, s = support[start], x[support[start]]
        j, t = (support[start + 1], x[support[start + 1]]) if start + 1 < terms else (i, 0.0)
        k, u = (support[start + 2], x[support[start + 2]]) if start + 2 < terms else (i, 0.0)
        m, v = (support[start + 3], x[support[start + 3]]) if start + 3 < terms else (i, 0.0)
        e, f, g, h = s * S[i], t * S[j], u * S[k], v * S[m]
        one, two = (
            gathered_row(K, indices, gathered, copies, 0, i),
            gathered_row(K, indices, gathered, copies, 1, j),
        )
        three, four = (
            gathered_row(K, indices, gathered, copies, 2, k),
            gathered_row(K, indices, gathered, copies, 3, m),
        )
        # One or two runs of consecutive examples are read in place.
        low, high = 0, at
        while low < high:
            first = 0 if gathered else indices[low]
            last = first + high - low
            a, b, c, d = one[first:last], two[first:last], three[first:last], four[first:last]
            own, large = E[low:high], size[low:high]
            for j in range(high - low):
                more = own[j] + e * (a[j] + clamp) + f * (b[j] + clamp)
                own[j] = more + g * (c[j] + clamp) + h * (d[j] + clamp)
            for j in range(high - low):
                more = large[j] + s * abs(a[j] + clamp) + t * abs(b[j] + clamp)
                large[j] = more + u * abs(c[j] + clamp) + v * abs(d[j] + clamp)
            low, high = high, n
    for j in range(n):
        E[j] *= S[j]


@proof_part
def gathered_row(K, indices, gathered, copies, k, i):
    """Row of example i in K, or its elements `indices` if they must be gathered."""
    own = K[indices[i]]
    if not gathered:
        return own
    row = copies[k]
    for j in range(indices.shape[0]):
        row[j] = own[indices[j]]
    return row


@proof_entry
def student_bounds(x, E, size, terms, a, b, C, top, error):
    """(lower, upper, relative gap) of kappa_max, still to be rounded outwards once; `top` = max K(xi, xi).

    Writes a bound on the error of E to `error`, given |computed - true K| <= a a' + b + b' and `size`, the
    sum of the absolute values of its `terms` terms.
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
    # If some examples allow no error, the weights are scaled until their E is at least one.
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
