"""LVQ1 on two Gaussian clusters as an exact Markov chain of its seven order parameters: O(1) per example.

The update depends on an example xi = l B_k + sqrt(v_k) z only through its projections on B_+, B_-, w_+, w_-
and its length. Given the order parameters these are four Gaussian numbers and one chi^2 number with N - 4
degrees of freedom, so that the chain has the distribution of the N-dimensional simulation.
"""

import math

import numpy as np

from markone.numerics._random import DATA, draw_chi_square, draw_normal, draw_uniform, seed_stream
from markone.numerics.compiling import entry, part

# Order of the state, as in `markone.lvq.theory.lvq1`: R_++, R_+-, R_-+, R_--, Q_++, Q_+-, Q_--.
MEASURES = 8


@part
def project_example(state, order, v, z):
    """Draw the components of z ~ N(0, v 1): z[0:2] on B, z[2:4] on w_+, w_-, z[4] = |z|^2. z[5] holds N."""
    for i in range(4):
        z[i] = math.sqrt(v) * draw_normal(state)
    a, b, e, f = z[0], z[1], z[2], z[3]
    # The parts of w_+ and w_- orthogonal to B_+ and B_-, by Gram-Schmidt.
    pp = max(order[4] - order[0] ** 2 - order[1] ** 2, 0.0)
    pm = order[5] - order[0] * order[2] - order[1] * order[3]
    mm = max(order[6] - order[2] ** 2 - order[3] ** 2, 0.0)
    length = math.sqrt(pp)
    along = pm / length if length > 0.0 else 0.0
    z[2] = order[0] * a + order[1] * b + length * e
    z[3] = order[2] * a + order[3] * b + along * e + math.sqrt(max(mm - along * along, 0.0)) * f
    z[4] = a * a + b * b + e * e + f * f + v * draw_chi_square(state, np.int64(z[5]) - 4)


@part
def update_winner(order, z, k, l, eta, N):
    """Learn one example of class k (0: +, 1: -): the winner moves by (eta/N) Psi (xi - w)."""
    h_plus, h_minus = l * order[k] + z[2], l * order[2 + k] + z[3]
    square = l * l + 2.0 * l * z[k] + z[4]
    # |xi - w_+|^2 <= |xi - w_-|^2
    S = 0 if order[4] - 2.0 * h_plus <= order[6] - 2.0 * h_minus else 1
    step = eta / N if k == S else -eta / N
    keep = 1.0 - step
    h = h_plus if S == 0 else h_minus
    own = 4 if S == 0 else 6
    order[own] = keep * keep * order[own] + 2.0 * step * keep * h + step * step * square
    order[5] = keep * order[5] + step * (h_minus if S == 0 else h_plus)
    order[2 * S] = keep * order[2 * S] + step * (z[0] + (l if k == 0 else 0.0))
    order[2 * S + 1] = keep * order[2 * S + 1] + step * (z[1] + (l if k == 1 else 0.0))


@part
def exact_error(order, l, v_plus, v_minus, p_plus):
    """Exact epsilon_g of these prototypes."""
    D = math.sqrt(max(order[4] - 2.0 * order[5] + order[6], 1e-300))
    plus = (order[4] - order[6] - 2.0 * l * (order[0] - order[2])) / (2.0 * math.sqrt(v_plus) * D)
    minus = (order[6] - order[4] - 2.0 * l * (order[3] - order[1])) / (2.0 * math.sqrt(v_minus) * D)
    wrong_plus, wrong_minus = math.erfc(-plus / math.sqrt(2.0)), math.erfc(-minus / math.sqrt(2.0))
    return 0.5 * (p_plus * wrong_plus + (1.0 - p_plus) * wrong_minus)


@entry
def run_lvq_chain(seed, start, stop, P, N, eta, l, v_plus, v_minus, p_plus, first):
    """The seven order parameters and epsilon_g after P examples, starting from `first`."""
    out = np.empty((stop - start, MEASURES))
    state, z, order = np.empty(1, np.uint64), np.empty(6), np.empty(7)
    z[5] = N
    for repeat in range(stop - start):
        seed_stream(state, seed, N, P, start + repeat, DATA)
        order[:] = first
        for _ in range(P):
            k = 0 if draw_uniform(state) < p_plus else 1
            project_example(state, order, v_plus if k == 0 else v_minus, z)
            update_winner(order, z, k, l, eta, N)
        out[repeat, :7] = order
        out[repeat, 7] = exact_error(order, l, v_plus, v_minus, p_plus)
    return out
