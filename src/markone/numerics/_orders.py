"""Which example next."""

from markone.numerics._random import below, shuffle
from markone.numerics.compiling import part

CYCLIC, RANDOM, SHUFFLED = 0, 1, 2
# As the estimators call them.
ORDERS = {"cyclic": CYCLIC, "random": RANDOM, "shuffled": SHUFFLED}


@part
def pick(order, i, turn, state):
    """The i-th example of an epoch: in turn (3.11), by lot, or by a new shuffle each epoch."""
    if order == RANDOM:
        return below(state, turn.shape[0])
    if order == SHUFFLED and i == 0:
        shuffle(state, turn)
    return turn[i]
