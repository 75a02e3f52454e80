"""Branch and bound on infeasible subsets: is there a student with at most `limit` errors?

Every student makes an error in each infeasible subset, so disjoint subsets give a lower bound, and one of
them is the branch: its first, second, ... example is wrong, those before it are right. Examples that must be
right do not count in disjointness. Only subsets proven to be infeasible are used. A subset is a row of
`pool`: the number of its examples, then these.
"""

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.fewest_errors._nearest_point import FEASIBLE, INFEASIBLE, wolfe_point
from markone.perceptron.separable._balance import proves_balance, proves_separation

FREE, WRONG, RIGHT, PACKED = 0, 1, 2, 3
PRUNED, SOLVED, BRANCHED, ASKED, EXHAUSTED, PAUSED = 0, 1, 2, 3, 4, 5
# Entries of `counts`: subsets in the pool, subsets found, rows of the last candidate, depth, nodes.
IN_POOL, FOUND, CANDIDATE, DEPTH, NODES = 0, 1, 2, 3, 4


@proof_part
def count_free(subset, state):
    """Number of free examples of a subset; -1 if one is wrong already."""
    free = 0
    for a in range(1, subset[0] + 1):
        if state[subset[a]] == WRONG:
            return -1
        free += state[subset[a]] == FREE
    return free


@proof_part
def pack_subset(subset, mark):
    """Mark the free examples of a subset as used; False, unchanged, if one was used."""
    for a in range(1, subset[0] + 1):
        if mark[subset[a]] == PACKED:
            return False
    for a in range(1, subset[0] + 1):
        if mark[subset[a]] == FREE:
            mark[subset[a]] = PACKED
    return True


@proof_part
def pack_known_subsets(pool, n_pool, state, mark, allowance):
    """Pack known subsets, those with the fewest free examples first. Return (number, first; -1 if none).

    The number is above `allowance` if more are packed, or if all examples of one must be right.
    """
    free, top = np.empty(n_pool, np.int64), 0
    for s in range(n_pool):
        free[s] = count_free(pool[s], state)
        if free[s] == 0:
            return allowance + 1, s
        top = max(top, free[s])
    packed, first = 0, -1
    for n in range(1, top + 1):
        for s in range(n_pool):
            if free[s] == n and pack_subset(pool[s], mark):
                packed += 1
                first = s if first < 0 else first
                if packed > allowance:
                    return packed, first
    return packed, first


@proof_entry
def store_subset(pool, counts, examples, k):
    """Store a proven subset in the pool, in place of the oldest if it is full; return its index."""
    s = counts[FOUND] % pool.shape[0]
    pool[s, 0] = k
    for a in range(k):
        pool[s, a + 1] = examples[a]
    counts[FOUND] += 1
    counts[IN_POOL] = max(counts[IN_POOL], s + 1)
    return s


@proof_part
def proves_infeasible(Z, corral, x, k):
    B = np.empty((k, Z.shape[1]))
    for a in range(k):
        B[a] = Z[corral[a]]
    return proves_balance(B, x[:k].copy())


@proof_part
def allow_rows(mark, known, allowed):
    """Fill the rows that must not be wrong; True if all of them are in the set known to be feasible."""
    inside = True
    for mu in range(mark.shape[0]):
        allowed[mu] = mark[mu] == FREE or mark[mu] == RIGHT
        inside = inside and (known[mu] or not allowed[mu])
    return inside


@proof_part
def expand_node(Z, state, allowance, pool, counts, known, allowed, w, corral):
    """Bound the node `state`; return (outcome, subset to branch on)."""
    mark, x = state.copy(), np.empty(Z.shape[1] + 2)
    packed, first = pack_known_subsets(pool, counts[IN_POOL], state, mark, allowance)
    while packed <= allowance:
        if allow_rows(mark, known, allowed):
            outcome, k = FEASIBLE, 0
        else:
            outcome, k = wolfe_point(Z, allowed, w, corral, x)
        if outcome == FEASIBLE and packed > 0:
            return BRANCHED, first
        if outcome == FEASIBLE and proves_separation(Z[allowed], w):
            return SOLVED, first
        if outcome != INFEASIBLE or not proves_infeasible(Z, corral, x, k):
            counts[CANDIDATE] = k
            return ASKED, first
        s = store_subset(pool, counts, corral, k)
        free = count_free(pool[s], state)
        if free == 0:
            return PRUNED, s
        pack_subset(pool[s], mark)
        if first < 0 or free < count_free(pool[first], state):
            first = s
        packed += 1
    return PRUNED, first


@proof_part
def order_branch(state, subset, pool, n_pool, order):
    """Fill the free examples of the subset, those in the most subsets first. Return their number."""
    n, weight = 0, np.zeros(subset[0])
    for a in range(1, subset[0] + 1):
        if state[subset[a]] == FREE:
            order[n] = subset[a]
            n += 1
    for s in range(n_pool):
        if count_free(pool[s], state) > 0:
            for a in range(n):
                for b in range(1, pool[s, 0] + 1):
                    weight[a] += pool[s, b] == order[a]
    for a in range(1, n):
        for b in range(a, 0, -1):
            if weight[b] > weight[b - 1]:
                weight[b], weight[b - 1] = weight[b - 1], weight[b]
                order[b], order[b - 1] = order[b - 1], order[b]
    return n


@proof_part
def next_node(state, order, frames, depth):
    """Go to the next child, upwards where there are none. Return the depth, or 0 if the tree is exhausted."""
    while depth > 0:
        size, at = frames[depth - 1, 0], frames[depth - 1, 1]
        if at >= 0:
            state[order[depth - 1, at]] = RIGHT
        if at + 1 < size:
            frames[depth - 1, 1] = at + 1
            state[order[depth - 1, at + 1]] = WRONG
            return depth
        for a in range(size):
            state[order[depth - 1, a]] = FREE
        depth -= 1
    return 0


@proof_entry
def search_tree(Z, limit, state, order, frames, pool, counts, known, allowed, w, corral, nodes):
    """Continue the search from the current node, for at most `nodes` nodes.

    SOLVED: w is right on all examples that are not `WRONG` in `state`. EXHAUSTED: no student has that few
    errors. ASKED: the rows `allowed` could not be decided, of which the first counts[CANDIDATE] in `corral`
    may be infeasible; resume with another subset in the pool, or with these rows `known` to be feasible, by
    w. PAUSED: resume.
    """
    for _ in range(nodes):
        depth = counts[DEPTH]
        outcome, s = expand_node(Z, state, limit - depth, pool, counts, known, allowed, w, corral)
        if outcome in (SOLVED, ASKED):
            return outcome
        counts[NODES] += 1
        if outcome == BRANCHED:
            frames[depth, 0] = order_branch(state, pool[s], pool, counts[IN_POOL], order[depth])
            frames[depth, 1] = -1
            depth += 1
        counts[DEPTH] = next_node(state, order, frames, depth)
        if counts[DEPTH] == 0:
            return EXHAUSTED
    return PAUSED
