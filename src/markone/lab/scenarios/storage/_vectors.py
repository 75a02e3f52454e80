"""One presentation of an example to LANES students at once, each with a data set of its own.

Numba vectorises a loop over the lanes only if E is stored and loaded again for every input. Written with
vectors, E stays in registers while the loop runs over the inputs.
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


def _place(builder, array, kind, index):
    """Pointer to the index-th group of LANES numbers."""
    pointer = builder.gep(array.data, [builder.mul(index, INDEX(LANES))])
    return builder.bitcast(pointer, kind.as_pointer())


def _load(builder, array, kind, index):
    return builder.load(_place(builder, array, kind, index), align=4)


def _store(builder, value, array, kind, index):
    builder.store(value, _place(builder, array, kind, index), align=4)


def _potentials(builder, Z, here, before, w, N, pending):
    """w += pending z of the example before, and E = w . z of this one, in one pass over w."""
    flags = ("contract",)
    sums = [cgutils.alloca_once_value(builder, ir.Constant(FLOAT, None)) for _ in range(CHAINS)]

    def one(j, total):
        old = _load(builder, Z, INT, builder.add(before, j))
        weights = builder.add(_load(builder, w, INT, j), builder.and_(old, pending))
        _store(builder, weights, w, INT, j)
        new = builder.sitofp(_load(builder, Z, INT, builder.add(here, j)), FLOAT)
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


def _arrays(context, builder, signature, args):
    pairs = zip(signature.args, args, strict=True)
    return [
        context.make_array(kind)(context, builder, value) if isinstance(kind, types.Array) else value
        for kind, value in pairs
    ]


def _inputs(builder, w):
    """N, from the length of w."""
    return builder.udiv(builder.extract_value(w._getvalue(), 2), INDEX(LANES))


@intrinsic
def turn(typing, Z, here, w, turned, longest):
    """Row `here` times -1 where `turned` is -1 (else 0); `longest` becomes its |z|^2 where that is larger."""

    def generate(context, builder, signature, args):
        Z, here, w, turned, longest = _arrays(context, builder, signature, args)
        N = _inputs(builder, w)
        start, zero = builder.mul(here, N), INDEX(0)
        signs = _load(builder, turned, INT, zero)
        square = cgutils.alloca_once_value(builder, ir.Constant(FLOAT, None))
        with cgutils.for_range(builder, N) as loop:
            place = builder.add(start, loop.index)
            z = builder.sub(builder.xor(_load(builder, Z, INT, place), signs), signs)
            _store(builder, z, Z, INT, place)
            z = builder.sitofp(z, FLOAT)
            builder.store(builder.fadd(builder.load(square), builder.fmul(z, z)), square)
        square, old = builder.load(square), _load(builder, longest, FLOAT, zero)
        larger = builder.select(builder.fcmp_ordered(">", square, old), square, old)
        _store(builder, larger, longest, FLOAT, zero)
        return context.get_dummy_value()

    return types.none(Z, types.int64, w, turned, longest), generate


@intrinsic
def present(typing, Z, here, before, w, E, bound, pending, learning, mistakes):
    """Apply the update pending from row `before`, present row `here`. True if some |E| < bound.

    Flat arrays, all lanes of a number side by side. Fills E, counts E <= 0 in `mistakes` and leaves in
    `pending` (-1 or 0) who is to update: those with E <= 0 that are still `learning` (-1 or 0).
    """

    def generate(context, builder, signature, args):
        Z, here, before, w, E, bound, pending, learning, mistakes = _arrays(context, builder, signature, args)
        N, zero = _inputs(builder, w), INDEX(0)
        masks = _load(builder, pending, INT, zero)
        sums = _potentials(builder, Z, builder.mul(here, N), builder.mul(before, N), w, N, masks)
        wrong = builder.sext(builder.fcmp_ordered("<=", sums, ir.Constant(FLOAT, None)), INT)
        _store(builder, sums, E, FLOAT, zero)
        _store(builder, builder.sub(_load(builder, mistakes, INT, zero), wrong), mistakes, INT, zero)
        _store(builder, builder.and_(wrong, _load(builder, learning, INT, zero)), pending, INT, zero)
        limit = _load(builder, bound, FLOAT, zero)
        low = builder.fcmp_ordered("<", sums, limit)
        high = builder.fcmp_ordered(">", sums, builder.fneg(limit))
        bits = builder.bitcast(builder.and_(low, high), ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    return types.boolean(Z, types.int64, types.int64, w, E, bound, pending, learning, mistakes), generate
