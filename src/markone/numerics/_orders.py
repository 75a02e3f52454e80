"""Order of presentation of the examples."""

from markone.numerics._random import draw_below, shuffle_items
from markone.numerics.compiling import part

CYCLIC, RANDOM, SHUFFLED = 0, 1, 2
# Values of the parameter `order`.
ORDERS = {"cyclic": CYCLIC, "random": RANDOM, "shuffled": SHUFFLED}


@part
def pick_example(order, i, turn, state):
    """The i-th example of an epoch: cyclic (3.11), random with replacement, or a new permutation."""
    if order == RANDOM:
        return draw_below(state, turn.shape[0])
    if order == SHUFFLED and i == 0:
        shuffle_items(state, turn)
    return turn[i]
