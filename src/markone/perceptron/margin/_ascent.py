"""AdaTron, sequential (3.76) and with errors (4.6): ascent along one embedding strength at a time.

The weights w = (1/N) sum x S xi are kept beside x, so that a visit costs one row instead of one row
of C. The notes' rate has to be taken relative to 1 / C_mumu, else 0 < eta < 2 does not ensure
convergence.
"""

import numpy as np

from markone.numerics._random import draw_below, shuffle_items
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics.compiling import entry, part


@entry
def sweep_examples(xi, S, norms, gamma, x, w, visits, eta):
    """Present the examples in `visits` once, in that order; update x and w in place."""
    N = n_columns(xi)
    for k in range(visits.shape[0]):
        mu = visits[k]
        step = eta * (1.0 - S[mu] * dot_example(xi, mu, w)) * N / norms[mu]
        new = min(max(x[mu] + step, 0.0), gamma[mu])
        change = new - x[mu]
        if change != 0.0:
            x[mu] = new
            add_example(xi, mu, change * S[mu] / N, w)


@part
def drop_removed(items, n):
    """Move the items[:n] that are not -1 to the front; return their number."""
    kept = 0
    for k in range(n):
        if items[k] >= 0:
            items[kept] = items[k]
            kept += 1
    return kept


@entry
def shrinking_sweeps(xi, S, norms, gamma, x, w, items, edges, eta, block, state, count):
    """Make up to `count` sweeps over the items, removing examples that seem to stay at a bound.

    An example at a bound whose gradient points outwards by more than the largest gradient of the
    sweep before (`edges`: the largest upwards, the largest downwards) is removed; n remain as items[:n]. Each
    sweep visits blocks of neighbours, with new boundaries, in random order (block = 0: all in the order of
    items): a random order of single rows would be read three times more slowly.
    Returns n, the number of sweeps made and the largest and smallest gradient of the last one.
    """
    N = n_columns(xi)
    high, low = 0.0, 0.0
    made, n = 0, items.shape[0]
    while made < count and n > 0:
        size = block if block > 0 else n
        offset = draw_below(state, size) if block > 0 else 0
        blocks = np.empty((n + offset + size - 1) // size, np.int64)
        for b in range(blocks.shape[0]):
            blocks[b] = b
        if block > 0:
            shuffle_items(state, blocks)
        high, low = 0.0, 0.0
        for i in range(blocks.shape[0]):
            b = blocks[i]
            for k in range(max(b * size - offset, 0), min((b + 1) * size - offset, n)):
                mu = items[k]
                slope = 1.0 - S[mu] * dot_example(xi, mu, w)
                old = x[mu]
                inside = slope
                if old == 0.0:
                    inside = max(slope, 0.0)
                elif old == gamma[mu]:
                    inside = min(slope, 0.0)
                if inside == 0.0:
                    if slope < edges[1] or slope > edges[0]:
                        items[k] = -1
                    continue
                high = max(high, inside)
                low = min(low, inside)
                x[mu] = min(max(old + eta * slope * N / norms[mu], 0.0), gamma[mu])
                if x[mu] != old:
                    add_example(xi, mu, (x[mu] - old) * S[mu] / N, w)
        n = drop_removed(items, n)
        # No gradient in one direction gives no estimate: remove nothing on that side.
        edges[0] = high if high > 0.0 else np.inf
        edges[1] = low if low < 0.0 else -np.inf
        made += 1
    return n, made, high, low


@entry
def potentials_of_examples(xi, S, w):
    """E = S w.xi of every example."""
    E = np.empty(n_rows(xi))
    for mu in range(E.shape[0]):
        E[mu] = S[mu] * dot_example(xi, mu, w)
    return E


@entry
def embed_examples(xi, S, x):
    """w = (1/N) sum x S xi (3.45)."""
    N = n_columns(xi)
    w = np.zeros(N)
    for mu in range(x.shape[0]):
        if x[mu] != 0.0:
            add_example(xi, mu, x[mu] * S[mu] / N, w)
    return w


@entry
def potentials_of_subset(xi, S, w, chosen):
    """E of the chosen examples."""
    E = np.empty(chosen.shape[0])
    for k in range(chosen.shape[0]):
        E[k] = S[chosen[k]] * dot_example(xi, chosen[k], w)
    return E


@entry
def embed_subset(xi, S, x, chosen):
    """(1/N) sum x S xi over the chosen examples; x has one value for each of them."""
    N = n_columns(xi)
    w = np.zeros(N)
    for k in range(chosen.shape[0]):
        add_example(xi, chosen[k], x[k] * S[chosen[k]] / N, w)
    return w


@entry
def extreme_potentials(xi, S, gamma, w, v):
    """Fill v = w.xi; return the least of S = 1 and the largest of S = -1, of the examples with gamma > 0."""
    above, below = np.inf, -np.inf
    for mu in range(S.shape[0]):
        v[mu] = dot_example(xi, mu, w)
        if gamma[mu] > 0.0:
            if S[mu] > 0.0:
                above = min(above, v[mu])
            else:
                below = max(below, v[mu])
    return above, below


@entry
def centre_inputs(xi, out, centre, norms):
    """Fill the inputs minus their means (0 for the last, which is 1), the means, and all |xi|^2.

    Returns the largest square of a row of `out`, and the largest |xi|^2.
    """
    P, N = xi.shape
    longest, top, size = 0.0, 0.0, 0.0
    for j in range(N):
        centre[j] = 0.0
    for mu in range(P):
        for j in range(N):
            centre[j] += xi[mu, j]
    for j in range(N):
        centre[j] /= P
        size += centre[j] * centre[j]
    for mu in range(P):
        for j in range(N):
            out[mu, j] = xi[mu, j] - centre[j]
        out[mu, N - 1] = 0.0
        square = dot_example(out, mu, out[mu])
        longest = max(longest, square)
        norms[mu] = square + 2.0 * dot_example(out, mu, centre) + size
        top = max(top, norms[mu])
    return longest, top
