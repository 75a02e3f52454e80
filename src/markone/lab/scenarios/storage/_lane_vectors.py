"""Presentation of one example to LANES students at once, each with its own data set.

Numba vectorises a loop over the lanes only if E is stored and loaded for every input. Written with LLVM
vectors, E stays in registers during the loop over the inputs.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
CHAINS = 2

INT = ir.VectorType(ir.IntType(32), LANES)
FLOAT = ir.VectorType(ir.FloatType(), LANES)
INDEX = ir.IntType(64)


def _vector_pointer(builder, array, kind, index):
    """Pointer to the index-th group of LANES numbers."""
    pointer = builder.gep(array.data, [builder.mul(index, INDEX(LANES))])
    return builder.bitcast(pointer, kind.as_pointer())


def _load_vector(builder, array, kind, index):
    return builder.load(_vector_pointer(builder, array, kind, index), align=4)


def _store_vector(builder, value, array, kind, index):
    builder.store(value, _vector_pointer(builder, array, kind, index), align=4)


def _update_and_dot(builder, Z, here, before, w, first, N, pending):
    """w += pending z of the example before, and E = w . z of this one, in one pass over w from `first` on."""
    flags = ("contract",)
    sums = [cgutils.alloca_once(builder, FLOAT) for _ in range(CHAINS)]
    for total in sums:
        builder.store(ir.Constant(FLOAT, None), total)

    def one(j, total):
        old = _load_vector(builder, Z, INT, builder.add(before, j))
        place = builder.add(first, j)
        weights = builder.add(_load_vector(builder, w, INT, place), builder.and_(old, pending))
        _store_vector(builder, weights, w, INT, place)
        new = builder.sitofp(_load_vector(builder, Z, INT, builder.add(here, j)), FLOAT)
        product = builder.fmul(builder.sitofp(weights, FLOAT), new, flags=flags)
        builder.store(builder.fadd(builder.load(total), product, flags=flags), total)

    groups = builder.udiv(N, INDEX(CHAINS))
    with cgutils.for_range(builder, groups) as loop:
        j = builder.mul(loop.index, INDEX(CHAINS))
        for k, total in enumerate(sums):
            one(builder.add(j, INDEX(k)), total)
    rest = builder.mul(groups, INDEX(CHAINS))
    with cgutils.for_range(builder, builder.sub(N, rest)) as loop:
        one(builder.add(rest, loop.index), sums[0])
    total = builder.load(sums[0])
    for other in sums[1:]:
        total = builder.fadd(total, builder.load(other))
    return total


def _unpack_arrays(context, builder, signature, args):
    pairs = zip(signature.args, args, strict=True)
    return [
        context.make_array(kind)(context, builder, value) if isinstance(kind, types.Array) else value
        for kind, value in pairs
    ]


@intrinsic
def apply_labels(typing, Z, here, N, turned, mu, longest, group):
    """Multiply row `here` by -1 in lanes where row `mu` of `turned` is -1 (else 0); update `longest`, the
    largest |z|^2 in the lanes of the group."""

    def generate(context, builder, signature, args):
        Z, here, N, turned, mu, longest, group = _unpack_arrays(context, builder, signature, args)
        start = builder.mul(here, N)
        signs = _load_vector(builder, turned, INT, mu)
        square = cgutils.alloca_once(builder, FLOAT)
        builder.store(ir.Constant(FLOAT, None), square)
        with cgutils.for_range(builder, N) as loop:
            place = builder.add(start, loop.index)
            z = builder.sub(builder.xor(_load_vector(builder, Z, INT, place), signs), signs)
            _store_vector(builder, z, Z, INT, place)
            z = builder.sitofp(z, FLOAT)
            builder.store(builder.fadd(builder.load(square), builder.fmul(z, z)), square)
        square, old = builder.load(square), _load_vector(builder, longest, FLOAT, group)
        larger = builder.select(builder.fcmp_ordered(">", square, old), square, old)
        _store_vector(builder, larger, longest, FLOAT, group)
        return context.get_dummy_value()

    whole = types.int64
    return types.none(Z, whole, whole, turned, whole, longest, whole), generate


@intrinsic
def present_example(typing, Z, here, before, w, N, group, E, bound, pending, learning, mistakes):
    """Apply the update pending from row `before`, present row `here`. True if some |E| < bound.

    Flat arrays, lanes innermost, group after group. Fills E, counts E <= 0 in `mistakes` and sets `pending`
    (-1 or 0) for the lanes to update: those with E <= 0 that are still `learning` (-1 or 0).
    """

    def generate(context, builder, signature, args):
        arrays = _unpack_arrays(context, builder, signature, args)
        Z, here, before, w, N, group, E, bound, pending, learning, mistakes = arrays
        masks = _load_vector(builder, pending, INT, group)
        rows = [builder.mul(row, N) for row in (here, before)]
        sums = _update_and_dot(builder, Z, *rows, w, builder.mul(group, N), N, masks)
        wrong = builder.sext(builder.fcmp_ordered("<=", sums, ir.Constant(FLOAT, None)), INT)
        _store_vector(builder, sums, E, FLOAT, group)
        _store_vector(
            builder, builder.sub(_load_vector(builder, mistakes, INT, group), wrong), mistakes, INT, group
        )
        _store_vector(
            builder, builder.and_(wrong, _load_vector(builder, learning, INT, group)), pending, INT, group
        )
        limit = _load_vector(builder, bound, FLOAT, group)
        low = builder.fcmp_ordered("<", sums, limit)
        high = builder.fcmp_ordered(">", sums, builder.fneg(limit))
        bits = builder.bitcast(builder.and_(low, high), ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    whole = types.int64
    places = (Z, whole, whole, w, whole, whole, E, bound, pending, learning, mistakes)
    return types.boolean(*places), generate
