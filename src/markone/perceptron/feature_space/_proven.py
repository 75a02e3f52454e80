"""The sums behind `proven`, each with a bound on its rounding, whatever the order of its terms."""

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.certificates._roundings import U
from markone.perceptron.feature_space._pairs import cut

# Kernels of so many support vectors are added at a time.
ROWS = 4


@proof_entry
def held_sums(K, clamp, who, S, x):
    """S sum K S x and sum |K| x of all examples, K = matrix in memory + clamp; and of how many terms."""
    n, at = who.shape[0], cut(who)
    whole = n == K.shape[0] and at == n
    support, terms = np.empty(n, np.int64), 0
    for i in range(n):
        if x[i] != 0.0:
            support[terms] = i
            terms += 1
    E, size, copies = np.zeros(n), np.zeros(n), np.empty((0 if whole else ROWS, n))
    signed, strength, places = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS, np.int64)
    table = K if whole else copies
    # Some rows at a time, one after the other: the sums are read and written for all of them once.
    for start in range(0, terms, ROWS):
        for k in range(ROWS):
            # What is missing to a full number adds zero times a row that is there.
            i = support[min(start + k, terms - 1)]
            strength[k] = x[i] if start + k < terms else 0.0
            signed[k], places[k] = strength[k] * S[i], i if whole else k
            if not whole:
                copy(K, who, at, i, copies[k])
        a, b, c, d = table[places[0]], table[places[1]], table[places[2]], table[places[3]]
        s, t, u, v = signed[0], signed[1], signed[2], signed[3]
        for j in range(n):
            E[j] = E[j] + s * (a[j] + clamp) + t * (b[j] + clamp) + u * (c[j] + clamp) + v * (d[j] + clamp)
        s, t, u, v = strength[0], strength[1], strength[2], strength[3]
        for j in range(n):
            own = size[j] + s * abs(a[j] + clamp) + t * abs(b[j] + clamp)
            size[j] = own + u * abs(c[j] + clamp) + v * abs(d[j] + clamp)
    for j in range(n):
        E[j] *= S[j]
    return E, size, terms


@proof_part
def copy(K, who, at, i, row):
    """Kernels of example i with all examples `who`; those of one or two runs without gathering."""
    own, n = K[who[i]], who.shape[0]
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


@proof_entry
def errors(x, size, terms, a, b):
    """How far E can be from the truth, where |computed - true K| <= a a' + b + b'."""
    n = x.shape[0]
    ax, bx, total = 0.0, 0.0, 0.0
    for j in range(n):
        ax += a[j] * x[j]
        bx += b[j] * x[j]
        total += x[j]
    error = np.empty(n)
    for j in range(n):
        of_kernel = a[j] * ax + b[j] * total + bx
        of_sums = 2.0 * (terms + 12.0) * U * size[j]
        error[j] = (of_sums + of_kernel) * (1.0 + 4.0 * (n + 12) * U) + 1e-290
    return error


@proof_entry
def student_bounds(x, E, error, C, top):
    """(lower, upper, relative gap) of kappa_max, to be rounded outwards once more; `top` = max K(xi, xi)."""
    n = x.shape[0]
    total, xE, spread, size, least, hard = 0.0, 0.0, 0.0, 0.0, np.inf, True
    for j in range(n):
        total += x[j]
        xE += x[j] * E[j]
        spread += x[j] * error[j]
        size += x[j] * abs(E[j])
        least = min(least, E[j] - error[j])
        hard = hard and C[j] == np.inf
    spread += 4.0 * (n + 12) * U * size
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
