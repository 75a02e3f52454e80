"""Products of matrices and vectors for one data set, in strips of WIDTH columns.

Flat arrays of float32 or float64, rows of V vectors of WIDTH numbers, the last one filled up with zeros.
Written with vectors so that sums stay in registers. As in `_tiles.py`, a product is added with or without a
rounding of its own, and nothing else is left to the compiler: a bound on the rounding of so many terms holds
for each of these sums.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from markone.lab.scenarios.storage._lane_vectors import (
    FLOAT,
    INDEX,
    _load_vector,
    _store_vector,
    _unpack_arrays,
)
from markone.lab.scenarios.storage._tiles import _at, _plus

WIDTH = FLOAT.count
DOUBLE = ir.VectorType(ir.DoubleType(), WIDTH)
# Rows of a product of matrices whose sums stay in registers: a divisor of WIDTH.
TALL = 4
ORDER = ir.VectorType(ir.IntType(32), WIDTH)
WHOLE = types.int64


def _kind(array):
    return FLOAT if array.dtype == types.float32 else DOUBLE


def _number(builder, array, index):
    return builder.load(builder.gep(array.data, [index]), align=4)


def _everywhere(builder, kind, number):
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, INDEX(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ORDER, None))


def _emptied(builder, kind, n):
    """Places for n sums, zero whenever the code comes by."""
    sums = [cgutils.alloca_once(builder, kind) for _ in range(n)]
    for total in sums:
        builder.store(ir.Constant(kind, None), total)
    return sums


def _outer(wide):
    """For each number of vectors that are summed at once."""

    @intrinsic
    def outer(typing, A, first, rows, V, i, v, C, minus):
        """C[i + p, v + q] += sum_k A[k, i + p] A[k, v + q] over `rows` rows k from `first`; -= if `minus`.

        p < TALL counts numbers, q < wide vectors.
        """
        kind = _kind(A)

        def generate(context, builder, signature, args):
            A, first, rows, V, i, v, C, minus = _unpack_arrays(context, builder, signature, args)
            sums = [_emptied(builder, kind, wide) for _ in range(TALL)]
            with cgutils.for_range(builder, rows) as loop:
                start = builder.mul(builder.add(first, loop.index), V)
                first_right = builder.add(start, v)
                right = [
                    _load_vector(builder, A, kind, builder.add(first_right, INDEX(q))) for q in range(wide)
                ]
                place = _at(builder, start, INDEX(WIDTH), i)
                for p in range(TALL):
                    left = _everywhere(builder, kind, _number(builder, A, builder.add(place, INDEX(p))))
                    for q in range(wide):
                        builder.store(_plus(builder, builder.load(sums[p][q]), left, right[q]), sums[p][q])
            for p in range(TALL):
                for q in range(wide):
                    place = _at(builder, builder.add(i, INDEX(p)), V, builder.add(v, INDEX(q)))
                    old, new = _load_vector(builder, C, kind, place), builder.load(sums[p][q])
                    added = builder.select(minus, builder.fsub(old, new), builder.fadd(old, new))
                    _store_vector(builder, added, C, kind, place)
            return context.get_dummy_value()

        return types.none(A, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE, C, types.boolean), generate

    return outer


outer_1, outer_2, outer_3, outer_4 = (_outer(wide) for wide in (1, 2, 3, 4))


def _combine(wide):
    """For each number of vectors that are summed at once."""

    @intrinsic
    def combine(typing, A, rows, n, factors, V, v, out):
        """out[v + q] = sum_k factors[k] A[rows[k], v + q] over n rows, q < wide."""

        def generate(context, builder, signature, args):
            A, rows, n, factors, V, v, out = _unpack_arrays(context, builder, signature, args)
            sums = _emptied(builder, FLOAT, wide)
            with cgutils.for_range(builder, n) as loop:
                row = builder.load(builder.gep(rows.data, [loop.index]))
                factor = _everywhere(builder, FLOAT, _number(builder, factors, loop.index))
                start = _at(builder, row, V, v)
                for q, total in enumerate(sums):
                    z = _load_vector(builder, A, FLOAT, builder.add(start, INDEX(q)))
                    builder.store(_plus(builder, builder.load(total), factor, z), total)
            for q, total in enumerate(sums):
                _store_vector(builder, builder.load(total), out, FLOAT, builder.add(v, INDEX(q)))
            return context.get_dummy_value()

        return types.none(A, rows, WHOLE, factors, WHOLE, WHOLE, out), generate

    return combine


combine_1, combine_2, combine_4 = _combine(1), _combine(2), _combine(4)


def _sums_of(builder, vectors):
    """The sums of WIDTH vectors as one vector: halves are added and two become one, until one is left."""
    half = WIDTH // 2
    while len(vectors) > 1:
        starts = range(0, 2 * WIDTH, 2 * half)
        low = ir.Constant(ORDER, [s + k for s in starts for k in range(half)])
        high = ir.Constant(ORDER, [s + half + k for s in starts for k in range(half)])
        vectors = [
            builder.fadd(builder.shuffle_vector(a, b, low), builder.shuffle_vector(a, b, high))
            for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
        half //= 2
    return vectors[0]


@intrinsic
def potentials(typing, Z, first, V, d, out):
    """out[first + k] = sum_j Z[first + k, j] d[j] for WIDTH rows k; `first` in units of WIDTH rows."""

    def generate(context, builder, signature, args):
        Z, first, V, d, out = _unpack_arrays(context, builder, signature, args)
        sums = _emptied(builder, FLOAT, WIDTH)
        start = builder.mul(builder.mul(first, INDEX(WIDTH)), V)
        with cgutils.for_range(builder, V) as loop:
            right, place = _load_vector(builder, d, FLOAT, loop.index), builder.add(start, loop.index)
            for k, total in enumerate(sums):
                z = _load_vector(builder, Z, FLOAT, _at(builder, V, INDEX(k), place))
                builder.store(_plus(builder, builder.load(total), z, right), total)
        _store_vector(builder, _sums_of(builder, [builder.load(total) for total in sums]), out, FLOAT, first)
        return context.get_dummy_value()

    return types.none(Z, WHOLE, WHOLE, d, out), generate
