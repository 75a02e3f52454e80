"""Sums over LANES data sets at once, for Newton's method: products of matrices and vectors, sums over rows.

Flat arrays of float32, all lanes of a number side by side, rows of M numbers. Written with vectors so that
sums stay in registers. Each product is added with or without a rounding of its own ("contract"), nothing else
is left to the compiler: a bound on the rounding of so many terms holds for each of these sums.
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

# Rows and columns of a tile: few enough for the registers of half the length, too.
TALL, WIDE = 4, 2
# Sums of a dot product that do not wait for each other.
CHAINS = 4
FLAGS = ("contract",)
ZERO = ir.Constant(FLOAT, None)
ONE = ir.Constant(FLOAT, [ir.Constant(ir.FloatType(), 1.0)] * FLOAT.count)


def _plus(builder, total, a, b):
    return builder.fadd(total, builder.fmul(a, b, flags=FLAGS), flags=FLAGS)


def _at(builder, *terms):
    """a b + c d + ... + z of an odd number of terms."""
    place = terms[-1]
    for a, b in zip(terms[:-1:2], terms[1:-1:2], strict=True):
        place = builder.add(place, builder.mul(a, b))
    return place


def _root(builder, value):
    """Rounded once; llvmlite has no name for the vector kind of it."""
    kind, name = ir.FunctionType(FLOAT, [FLOAT]), f"llvm.sqrt.v{FLOAT.count}f32"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [value])


@intrinsic
def tile(typing, A, B, first, rows, M, i, j, C, minus):
    """C[i + p, j + q] += sum_k A[k, i + p] B[k, j + q] over `rows` rows from `first`; -= if `minus`.

    p < TALL, q < WIDE.
    """

    def generate(context, builder, signature, args):
        A, B, first, rows, M, i, j, C, minus = _unpack_arrays(context, builder, signature, args)
        sums = [[cgutils.alloca_once_value(builder, ZERO) for _ in range(WIDE)] for _ in range(TALL)]
        with cgutils.for_range(builder, rows) as loop:
            start = builder.mul(builder.add(first, loop.index), M)
            left = [
                _load_vector(builder, A, FLOAT, builder.add(start, builder.add(i, INDEX(p))))
                for p in range(TALL)
            ]
            for q in range(WIDE):
                right = _load_vector(builder, B, FLOAT, builder.add(start, builder.add(j, INDEX(q))))
                for p in range(TALL):
                    total = sums[p][q]
                    builder.store(_plus(builder, builder.load(total), left[p], right), total)
        for p in range(TALL):
            for q in range(WIDE):
                place = _at(builder, builder.add(i, INDEX(p)), M, builder.add(j, INDEX(q)))
                old, new = _load_vector(builder, C, FLOAT, place), builder.load(sums[p][q])
                added = builder.select(minus, builder.fsub(old, new), builder.fadd(old, new))
                _store_vector(builder, added, C, FLOAT, place)
        return context.get_dummy_value()

    whole = types.int64
    return types.none(A, B, whole, whole, whole, whole, whole, C, types.boolean), generate


@intrinsic
def dots(typing, A, a, B, b, n, C, c):
    """C[c] = sum_j A[a + j] B[b + j], j < n."""

    def generate(context, builder, signature, args):
        A, a, B, b, n, C, c = _unpack_arrays(context, builder, signature, args)
        sums = [cgutils.alloca_once_value(builder, ZERO) for _ in range(CHAINS)]

        def one(j, total):
            left, right = (_load_vector(builder, X, FLOAT, builder.add(x, j)) for X, x in ((A, a), (B, b)))
            builder.store(_plus(builder, builder.load(total), left, right), total)

        groups = builder.udiv(n, INDEX(CHAINS))
        with cgutils.for_range(builder, groups) as loop:
            for k, total in enumerate(sums):
                one(_at(builder, loop.index, INDEX(CHAINS), INDEX(k)), total)
        rest = builder.mul(groups, INDEX(CHAINS))
        with cgutils.for_range(builder, builder.sub(n, rest)) as loop:
            one(builder.add(rest, loop.index), sums[0])
        total = builder.load(sums[0])
        for other in sums[1:]:
            total = builder.fadd(total, builder.load(other))
        _store_vector(builder, total, C, FLOAT, c)
        return context.get_dummy_value()

    whole = types.int64
    return types.none(A, whole, B, whole, whole, C, whole), generate


@intrinsic
def eliminate(typing, R, row, M, top, inverse):
    """Row `row` of Cholesky's R in place, from the rows top .. row-1 of its panel; `inverse` is 1/pivot.

    A pivot that is not positive gets the inverse 0: the direction is left out, and no NaN appears.
    """

    def generate(context, builder, signature, args):
        R, row, M, top, inverse = _unpack_arrays(context, builder, signature, args)
        here, length = builder.mul(row, M), builder.sub(M, row)
        with cgutils.for_range(builder, builder.sub(row, top)) as outer:
            above = builder.mul(builder.add(top, outer.index), M)
            factor = _load_vector(builder, R, FLOAT, builder.add(above, row))
            with cgutils.for_range(builder, length) as loop:
                j = builder.add(row, loop.index)
                place = builder.add(here, j)
                old, other = (
                    _load_vector(builder, R, FLOAT, place),
                    _load_vector(builder, R, FLOAT, builder.add(above, j)),
                )
                product = builder.fmul(factor, other, flags=FLAGS)
                _store_vector(builder, builder.fsub(old, product, flags=FLAGS), R, FLOAT, place)
        square = _load_vector(builder, R, FLOAT, builder.add(here, row))
        good = builder.fcmp_ordered(">", square, ZERO)
        root = _root(builder, builder.select(good, square, ONE))
        turned = builder.select(good, builder.fdiv(ONE, root), ZERO)
        _store_vector(builder, turned, inverse, FLOAT, row)
        with cgutils.for_range(builder, length) as loop:
            place = builder.add(here, builder.add(row, loop.index))
            _store_vector(
                builder, builder.fmul(_load_vector(builder, R, FLOAT, place), turned), R, FLOAT, place
            )
        return context.get_dummy_value()

    whole = types.int64
    return types.none(R, whole, whole, whole, inverse), generate


@intrinsic
def activate(typing, E, n, N, M, Z, Y, count):
    """Of n rows: the residual 1 - E as column N of Z; in Y the rows with E < 1, zero in place of the others;
    and how many they are."""

    def generate(context, builder, signature, args):
        E, n, N, M, Z, Y, count = _unpack_arrays(context, builder, signature, args)
        number = cgutils.alloca_once_value(builder, ZERO)
        with cgutils.for_range(builder, n) as outer:
            start = builder.mul(outer.index, M)
            rest = builder.fsub(ONE, _load_vector(builder, E, FLOAT, outer.index))
            inside = builder.select(builder.fcmp_ordered(">", rest, ZERO), ONE, ZERO)
            _store_vector(builder, rest, Z, FLOAT, builder.add(start, N))
            builder.store(builder.fadd(builder.load(number), inside), number)
            with cgutils.for_range(builder, builder.add(N, INDEX(1))) as loop:
                place = builder.add(start, loop.index)
                _store_vector(
                    builder, builder.fmul(_load_vector(builder, Z, FLOAT, place), inside), Y, FLOAT, place
                )
        _store_vector(builder, builder.load(number), count, FLOAT, INDEX(0))
        return context.get_dummy_value()

    whole = types.int64
    return types.none(E, whole, whole, whole, Z, Y, count), generate


@intrinsic
def window(typing, E, dE, n, low, high):
    """The t with all E + t dE > 0: those between `low` and `high`; none if low >= high."""

    def generate(context, builder, signature, args):
        E, dE, n, low, high = _unpack_arrays(context, builder, signature, args)
        far = ir.Constant(FLOAT, [ir.Constant(ir.FloatType(), 2.0**60)] * FLOAT.count)
        lowest = cgutils.alloca_once_value(builder, builder.fneg(far))
        highest = cgutils.alloca_once_value(builder, far)
        with cgutils.for_range(builder, n) as loop:
            e, d = _load_vector(builder, E, FLOAT, loop.index), _load_vector(builder, dE, FLOAT, loop.index)
            up, down = builder.fcmp_ordered(">", d, ZERO), builder.fcmp_ordered("<", d, ZERO)
            t = builder.fneg(builder.fdiv(e, builder.select(builder.or_(up, down), d, ONE)))
            # Where dE = 0 and E <= 0 no t helps.
            stuck = builder.and_(builder.fcmp_ordered("<=", e, ZERO), builder.not_(builder.or_(up, down)))
            old = builder.load(lowest)
            more = builder.and_(up, builder.fcmp_ordered(">", t, old))
            builder.store(builder.select(stuck, far, builder.select(more, t, old)), lowest)
            old = builder.load(highest)
            less = builder.and_(down, builder.fcmp_ordered("<", t, old))
            builder.store(builder.select(less, t, old), highest)
        _store_vector(builder, builder.load(lowest), low, FLOAT, INDEX(0))
        _store_vector(builder, builder.load(highest), high, FLOAT, INDEX(0))
        return context.get_dummy_value()

    return types.none(E, dE, types.int64, low, high), generate


@intrinsic
def slopes(typing, E, dE, n, t, slope, curvature):
    """h'(t) and h''(t) of h = 1/2 sum (1 - E - t dE)_+^2."""

    def generate(context, builder, signature, args):
        E, dE, n, t, slope, curvature = _unpack_arrays(context, builder, signature, args)
        way = _load_vector(builder, t, FLOAT, INDEX(0))
        first, second = (cgutils.alloca_once_value(builder, ZERO) for _ in range(2))
        with cgutils.for_range(builder, n) as loop:
            e, d = _load_vector(builder, E, FLOAT, loop.index), _load_vector(builder, dE, FLOAT, loop.index)
            rest = builder.fsub(ONE, _plus(builder, e, way, d))
            active = builder.fcmp_ordered(">", rest, ZERO)
            push = builder.select(active, d, ZERO)
            builder.store(_plus(builder, builder.load(first), builder.fneg(push), rest), first)
            builder.store(_plus(builder, builder.load(second), push, push), second)
        _store_vector(builder, builder.load(first), slope, FLOAT, INDEX(0))
        _store_vector(builder, builder.load(second), curvature, FLOAT, INDEX(0))
        return context.get_dummy_value()

    return types.none(E, dE, types.int64, t, slope, curvature), generate
