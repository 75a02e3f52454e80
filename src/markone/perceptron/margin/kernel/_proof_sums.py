"""Sums for `kernel_certificate`, each with a bound on its rounding that holds for any order of the terms."""

import numpy as np

from markone.numerics.compiling import proof_entry
from markone.perceptron.separable._roundings import U


@proof_entry
def matrix_sums(K, clamp, indices, S, x, support, E, size):
    """Compute E = S sum K S x and size = sum |K| x of all examples; K = matrix + clamp, x > 0 in `support`.

    Both must be zero on entry. indices: of the examples in K, which is read in place if they are 0, 1, 2, ...
    """
    n = indices.shape[0]
    row, in_place = np.empty(n), True
    for j in range(n):
        in_place = in_place and indices[j] == j
    for k in range(support.shape[0]):
        i = support[k]
        strength, signed, own = x[i], x[i] * S[i], K[indices[i]]
        for j in range(n):
            row[j] = (own[j] if in_place else own[indices[j]]) + clamp
        for j in range(n):
            E[j] += signed * row[j]
        for j in range(n):
            size[j] += strength * abs(row[j])
    for j in range(n):
        E[j] *= S[j]


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
