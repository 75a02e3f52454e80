"""The two vector loops that numba does not produce, each with a plain twin.

Written with LLVM's vectors, for the versions of numba that are tested (`AVAILABLE`); with others, and with
NUMBA_DISABLE_JIT=1, the twins run. The answers are the same. Measured at alpha = 2, N = 5 to 100:
`present_example` takes 0.3-0.4 of the time of the twin, so that Rosenblatt takes half.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from markone.numerics.compiling import AVAILABLE, part

LANES = 16
# Sums of a dot product that do not wait for each other.
CHAINS = 2

INDEX = ir.IntType(64)
INT, FLOAT = ir.VectorType(ir.IntType(32), LANES), ir.VectorType(ir.FloatType(), LANES)


def present_example_plain(Z, here, before, w, N, group, E, bound, pending, learning, mistakes):
    """Apply the update pending from row `before`, present row `here`. True if some |E| < bound.

    Flat arrays, lanes innermost, group after group. Fills E, counts E <= 0 in `mistakes` and sets `pending`
    (-1 or 0) for the lanes to update: those with E <= 0 that are still `learning` (-1 or 0).
    """
    first, uncertain = group * LANES, False
    E[first : first + LANES] = np.float32(0.0)
    for j in range(N):
        now, old, weight = (here * N + j) * LANES, (before * N + j) * LANES, (group * N + j) * LANES
        for lane in range(LANES):
            w[weight + lane] += Z[old + lane] & pending[first + lane]
            E[first + lane] += np.float32(w[weight + lane]) * np.float32(Z[now + lane])
    for k in range(first, first + LANES):
        wrong = np.int32(E[k] <= 0.0)
        mistakes[k] += wrong
        pending[k] = -wrong & learning[k]
        uncertain = uncertain or abs(E[k]) < bound[k]
    return uncertain


def apply_labels_plain(Z, here, N, turned, mu, longest, group):
    """Multiply row `here` by -1 in lanes where row `mu` of `turned` is -1 (else 0); update `longest`, the
    largest |z|^2 in the lanes of the group."""
    for lane in range(LANES):
        sign, square = turned[mu * LANES + lane], np.float32(0.0)
        for j in range(N):
            place = (here * N + j) * LANES + lane
            Z[place] = (Z[place] ^ sign) - sign
            square += np.float32(Z[place]) * np.float32(Z[place])
        longest[group * LANES + lane] = max(longest[group * LANES + lane], square)


def _load(builder, array, kind, index):
    return builder.load(_vector_pointer(builder, array, kind, index), align=4)


def _store(builder, value, array, kind, index):
    builder.store(value, _vector_pointer(builder, array, kind, index), align=4)


def _vector_pointer(builder, array, kind, index):
    """Pointer to the index-th group of LANES numbers."""
    pointer = builder.gep(array.data, [builder.mul(index, INDEX(LANES))])
    return builder.bitcast(pointer, kind.as_pointer())


def _unpack_arrays(context, builder, signature, args):
    pairs = zip(signature.args, args, strict=True)
    return [
        context.make_array(kind)(context, builder, value) if isinstance(kind, types.Array) else value
        for kind, value in pairs
    ]


def _update_and_dot(builder, Z, here, before, w, first, N, pending):
    """w += pending z of the example before, and E = w . z of this one, in one pass over w from `first` on."""
    flags = ("contract",)
    sums = [cgutils.alloca_once_value(builder, ir.Constant(FLOAT, None)) for _ in range(CHAINS)]

    def add_input(j, total):
        place = builder.add(first, j)
        change = builder.and_(_load(builder, Z, INT, builder.add(before, j)), pending)
        weights = builder.add(_load(builder, w, INT, place), change)
        _store(builder, weights, w, INT, place)
        new = builder.sitofp(_load(builder, Z, INT, builder.add(here, j)), FLOAT)
        product = builder.fmul(builder.sitofp(weights, FLOAT), new, flags=flags)
        builder.store(builder.fadd(builder.load(total), product, flags=flags), total)

    groups = builder.udiv(N, INDEX(CHAINS))
    with cgutils.for_range(builder, groups) as loop:
        j = builder.mul(loop.index, INDEX(CHAINS))
        for k, total in enumerate(sums):
            add_input(builder.add(j, INDEX(k)), total)
    rest = builder.mul(groups, INDEX(CHAINS))
    with cgutils.for_range(builder, builder.sub(N, rest)) as loop:
        add_input(builder.add(rest, loop.index), sums[0])
    total = builder.load(sums[0])
    for other in sums[1:]:
        total = builder.fadd(total, builder.load(other))
    return total


@intrinsic
def _present_example(typing, Z, here, before, w, N, group, E, bound, pending, learning, mistakes):
    """`present_example_plain`: E stays in registers, where numba would store it after each input."""

    def generate(context, builder, signature, args):
        arrays = _unpack_arrays(context, builder, signature, args)
        Z, here, before, w, N, group, E, bound, pending, learning, mistakes = arrays
        rows, first = [builder.mul(row, N) for row in (here, before)], builder.mul(group, N)
        sums = _update_and_dot(builder, Z, *rows, w, first, N, _load(builder, pending, INT, group))
        wrong = builder.sext(builder.fcmp_ordered("<=", sums, ir.Constant(FLOAT, None)), INT)
        _store(builder, sums, E, FLOAT, group)
        counted = builder.sub(_load(builder, mistakes, INT, group), wrong)
        _store(builder, counted, mistakes, INT, group)
        updated = builder.and_(wrong, _load(builder, learning, INT, group))
        _store(builder, updated, pending, INT, group)
        limit = _load(builder, bound, FLOAT, group)
        low = builder.fcmp_ordered("<", sums, limit)
        high = builder.fcmp_ordered(">", sums, builder.fneg(limit))
        bits = builder.bitcast(builder.and_(low, high), ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    whole = types.int64
    places = (Z, whole, whole, w, whole, whole, E, bound, pending, learning, mistakes)
    return types.boolean(*places), generate


@intrinsic
def _apply_labels(typing, Z, here, N, turned, mu, longest, group):
    """`apply_labels_plain`"""

    def generate(context, builder, signature, args):
        Z, here, N, turned, mu, longest, group = _unpack_arrays(context, builder, signature, args)
        start, sign = builder.mul(here, N), _load(builder, turned, INT, mu)
        total = cgutils.alloca_once_value(builder, ir.Constant(FLOAT, None))
        with cgutils.for_range(builder, N) as loop:
            place = builder.add(start, loop.index)
            z = builder.sub(builder.xor(_load(builder, Z, INT, place), sign), sign)
            _store(builder, z, Z, INT, place)
            z = builder.sitofp(z, FLOAT)
            builder.store(builder.fadd(builder.load(total), builder.fmul(z, z)), total)
        square, old = builder.load(total), _load(builder, longest, FLOAT, group)
        larger = builder.select(builder.fcmp_ordered(">", square, old), square, old)
        _store(builder, larger, longest, FLOAT, group)
        return context.get_dummy_value()

    whole = types.int64
    return types.none(Z, whole, whole, turned, whole, longest, whole), generate


present_example = _present_example if AVAILABLE else part(present_example_plain)
apply_labels = _apply_labels if AVAILABLE else part(apply_labels_plain)
