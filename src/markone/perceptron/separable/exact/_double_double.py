"""Double-double arithmetic, high + low, 106 bits   (Dekker 1971)."""

import math

from markone.numerics.compiling import proof_part
from markone.perceptron.separable._roundings import two_product, two_sum


@proof_part
def dd_add(ah, al, bh, bl):
    s, e = two_sum(ah, bh)
    t, f = two_sum(al, bl)
    s, e = two_sum(s, e + t)
    return two_sum(s, e + f)


@proof_part
def dd_multiply(ah, al, bh, bl):
    p, e = two_product(ah, bh)
    return two_sum(p, e + (ah * bl + al * bh))


@proof_part
def dd_divide(ah, al, bh, bl):
    q = ah / bh
    ph, pl = dd_multiply(bh, bl, q, 0.0)
    rh, rl = dd_add(ah, al, -ph, -pl)
    t = rh / bh
    ph, pl = dd_multiply(bh, bl, t, 0.0)
    rh, rl = dd_add(rh, rl, -ph, -pl)
    qh, ql = two_sum(q, t)
    return dd_add(qh, ql, rh / bh, 0.0)


@proof_part
def dd_sqrt(ah, al):
    if ah <= 0.0:
        return 0.0, 0.0
    x = math.sqrt(ah)
    ph, pl = two_product(x, x)
    rest = dd_add(ah, al, -ph, -pl)[0]
    return two_sum(x, rest / (2.0 * x))


@proof_part
def dd_dot(ah, al, bh, bl):
    """a . b of vectors."""
    sh, sl = 0.0, 0.0
    for j in range(ah.shape[0]):
        ph, pl = dd_multiply(ah[j], al[j], bh[j], bl[j])
        sh, sl = dd_add(sh, sl, ph, pl)
    return sh, sl


@proof_part
def dd_subtract_scaled(ah, al, ch, cl, bh, bl):
    """a -= c b, vectors a and b."""
    for j in range(ah.shape[0]):
        ph, pl = dd_multiply(ch, cl, bh[j], bl[j])
        ah[j], al[j] = dd_add(ah[j], al[j], -ph, -pl)
