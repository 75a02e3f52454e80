"""Votes of 1, 2, .., k neighbours under three weightings, in one pass over the sorted neighbours."""

import numpy as np

from markone.numerics.compiling import entry

EQUAL, INVERSE, RANK = 0, 1, 2


@entry
def count_neighbour_votes(order, distance, label, train, test, ks, weightings, K, out):
    """out (weightings, ks, test): the winning class of each test example; the first one of ties.

    order, distance: the other examples of every example, nearest first; `train`: mask of those that vote.
    Returns False if some row of `order` holds fewer than ks[-1] training examples.
    """
    votes = np.empty((weightings.shape[0], K))
    for t in range(test.shape[0]):
        mu = test[t]
        votes[:] = 0.0
        found, next_k, exact = 0, 0, False
        for j in range(order.shape[1]):
            nu = order[mu, j]
            if not train[nu]:
                continue
            d = distance[mu, j]
            if found == 0:
                exact = d == 0.0
            found += 1
            for v in range(weightings.shape[0]):
                weight = 1.0
                if weightings[v] == RANK:
                    weight = 1.0 / found
                elif weightings[v] == INVERSE:
                    # Neighbours at distance zero have all the weight, as in scikit-learn.
                    weight = (1.0 if d == 0.0 else 0.0) if exact else 1.0 / d
                votes[v, label[nu]] += weight
            if found == ks[next_k]:
                for v in range(weightings.shape[0]):
                    best = 0
                    for k in range(1, K):
                        if votes[v, k] > votes[v, best]:
                            best = k
                    out[v, next_k, t] = best
                next_k += 1
                if next_k == ks.shape[0]:
                    break
        if next_k < ks.shape[0]:
            return False
    return True
