"""Kernel AdaTron (4.26), (4.6) on a set of examples whose matrix Gamma (4.19) is held in memory.

Maximises f(x) = sum x - 1/2 x^T G x, 0 <= x <= C, G = S S^T K (float32), by AdaTron steps on the
embedding strength with the largest gain. The argmax over all examples would cost as much as the update of all
E; therefore the steps are taken inside a block of examples that fits the cache, and the other E are updated
once per block.
"""

import math

import numpy as np

from markone.numerics.compiling import entry, part
from markone.perceptron.margin.kernel._block import ascend_block, step_gain

TILE = 1024


@part
def relative_gap(x, E, C, xE, total, resting_slack):
    """Relative gap between this student and its bound; infinite if there is no finite bound.

    xE, total, resting_slack: contributions of the inactive examples to x.E, sum x, sum C (1 - E)_+.
    """
    size = abs(xE)
    slack, weakest, finite, hard = resting_slack, np.inf, resting_slack > 0.0, False
    for mu in range(x.shape[0]):
        xE += x[mu] * E[mu]
        size += x[mu] * abs(E[mu])
        total += x[mu]
        if C[mu] < np.inf:
            finite = True
            slack += C[mu] * max(1.0 - E[mu], 0.0)
        else:
            hard = True
            weakest = min(weakest, E[mu])
    if xE < -1e-3 * size:
        return -np.inf  # |W|^2 < 0: not a scalar product
    if hard and not finite:
        return 1.0 - weakest * total / xE if xE > 0.0 else np.inf
    if hard and weakest < 1.0:
        # Examples without slack must have E >= 1: scale the weights accordingly.
        if weakest <= 0.0:
            return np.inf
        slack = resting_slack
        for mu in range(x.shape[0]):
            if C[mu] < np.inf:
                slack += C[mu] * max(1.0 - E[mu] / weakest, 0.0)
        primal = 0.5 * xE / weakest**2 + slack
    else:
        primal = 0.5 * xE + slack
    return (primal - total + 0.5 * xE) / primal if primal > 0.0 else 0.0


@part
def active_gap(x, E, C, value, rest):
    """Relative gap of the active examples while others are inactive with x > 0; C is finite.

    Primal less dual cost is a sum over examples of C (1 - E)_+ - x (1 - E), none of which is negative; that
    of the others, `rest`, is as it was. `value` is the dual cost of all. (x.E of the others is out of date:
    with it, |W|^2 could be negative.)
    """
    gap = rest
    for mu in range(x.shape[0]):
        g = 1.0 - E[mu]
        gap += C[mu] * max(g, 0.0) - x[mu] * g
    return gap / (value + gap) if value + gap > 0.0 else np.inf


@entry
def student_relative_gap(x, E, C):
    """Relative gap of a student with up-to-date E of all examples."""
    return relative_gap(x, E, C, 0.0, 0.0, 0.0)


@entry
def step_gains(x, E, C, curvature):
    """Gain of f by an AdaTron step on each example alone: 0 if Kuhn-Tucker is met."""
    out = np.empty(x.shape[0])
    for mu in range(x.shape[0]):
        out[mu] = step_gain(x[mu], 1.0 - E[mu], C[mu], curvature[mu])
    return out


@part
def update_potentials(G, n, members, changes, count, E, sums):
    """E += G[members]^T changes for all n examples, a tile of columns and four rows at a time."""
    for start in range(0, n, TILE):
        width = min(TILE, n - start)
        sums[:width] = 0.0
        k = 0
        while k + 4 <= count:
            r0, r1 = G[members[k]], G[members[k + 1]]
            r2, r3 = G[members[k + 2]], G[members[k + 3]]
            c0, c1, c2, c3 = changes[k], changes[k + 1], changes[k + 2], changes[k + 3]
            for j in range(width):
                at = start + j
                sums[j] += c0 * r0[at] + c1 * r1[at] + c2 * r2[at] + c3 * r3[at]
            k += 4
        while k < count:
            r0, c0 = G[members[k]], changes[k]
            for j in range(width):
                sums[j] += c0 * r0[start + j]
            k += 1
        for j in range(width):
            E[start + j] += sums[j]


@part
def gain_threshold(gained, count):
    """Gain exceeded by about `count` examples, by bisection of its logarithm: cheaper than sorting."""
    high = 0.0
    for mu in range(gained.shape[0]):
        high = max(high, gained[mu])
    low = 1e-15 * high
    for _ in range(20):
        middle, above = math.sqrt(low) * math.sqrt(high), 0
        for mu in range(gained.shape[0]):
            above += gained[mu] > middle
        if above > count:
            low = middle
        else:
            high = middle
    return high


@part
def choose_block(block, size, wanted, fresh, gained):
    """Replace the oldest members of the block by the `fresh` largest gains outside it; return the new size.

    Keeping most of the block is needed for convergence: if all is replaced, two blocks undo each other's
    steps.
    """
    for k in range(size):
        gained[block[k]] = 0.0
    limit = gain_threshold(gained, fresh)
    entering = np.empty(fresh, np.int64)
    count = 0
    for mu in range(gained.shape[0]):
        if count < fresh and gained[mu] > 0.0 and gained[mu] >= limit:
            entering[count] = mu
            count += 1
    kept = min(size, wanted - count)
    for k in range(kept):
        block[k] = block[size - kept + k]
    for k in range(count):
        block[kept + k] = entering[k]
    return kept + count


@part
def sort_block(block, size, marks, order):
    """Sort the members of the block, so that rows are read from left to right."""
    marks[:] = False
    for k in range(size):
        marks[block[k]] = True
    k = 0
    for mu in range(marks.shape[0]):
        if marks[mu]:
            order[k] = mu
            k += 1


@entry
def ascend_working_set(G, n, x, E, C, curvature, resting, wanted, keep, precision, goal, most):
    """Run blocks until the relative gap on these n examples is `goal`, or for `most` steps."""
    block, size, taken = np.empty(wanted, np.int64), 0, 0
    Q = np.empty((wanted, wanted))
    xb, gb, Cb, qb = np.empty(wanted), np.empty(wanted), np.empty(wanted), np.empty(wanted)
    score, gained, sums = np.empty(wanted), np.empty(n), np.empty(TILE)
    marks, order = np.empty(n, np.bool_), np.empty(wanted, np.int64)
    members, changes = np.empty(wanted, np.int64), np.empty(wanted)
    alone, value = resting[1] == 0.0, resting[1] - 0.5 * resting[0]
    for mu in range(n):
        alone = alone or C[mu] == np.inf
        value += x[mu] * (1.0 - 0.5 * E[mu])
    while taken < most:
        if alone:
            gap = relative_gap(x, E, C, resting[0], resting[1], resting[2])
        else:
            gap = active_gap(x, E, C, value, resting[0] - resting[1] + resting[2])
        if not gap > goal:
            break
        for mu in range(n):
            gained[mu] = step_gain(x[mu], 1.0 - E[mu], C[mu], curvature[mu])
        fresh = wanted if size == 0 else wanted - int(keep * wanted)
        size = choose_block(block, size, wanted, fresh, gained)
        sort_block(block, size, marks, order)
        for k in range(size):
            mu = order[k]
            xb[k], gb[k], Cb[k], qb[k] = x[mu], 1.0 - E[mu], C[mu], curvature[mu]
            row = G[mu]
            for j in range(size):
                Q[k, j] = row[order[j]]
        steps = ascend_block(Q, xb, gb, Cb, qb, size, precision, min(most - taken, 16 * wanted), score)
        if steps == 0:
            break
        taken += steps
        count = 0
        for k in range(size):
            change = xb[k] - x[order[k]]
            if change != 0.0:
                members[count], changes[count] = order[k], change
                x[order[k]] = xb[k]
                value += 0.5 * change * (1.0 - E[order[k]])
                count += 1
        update_potentials(G, n, members, changes, count, E, sums)
        # The dual cost is quadratic: the mean of the slopes before and after is exact.
        for k in range(count):
            value += 0.5 * changes[k] * (1.0 - E[members[k]])
    return taken


@entry
def write_gram_rows(K, places, S, old, G):
    """Write S S^T K of the examples at `places`: their rows, and their columns in the rows `old`."""
    for k in range(places.shape[0]):
        row = G[places[k]]
        for j in range(S.shape[0]):
            row[j] = S[places[k]] * S[j] * K[k, j]
    for i in range(old.shape[0]):
        j = old[i]
        for k in range(places.shape[0]):
            G[j, places[k]] = G[places[k], j]
