"""Sums of products z z^T and Cholesky's method for some dozens to hundreds of columns, in tiles of registers.

H[i, j] += z_i z_j one row after the other reads and writes all of H for each: memory is what takes the time.
Here 4 x 12 elements of H stay in registers while the rows pass by. Matrices have columns up to a multiple of
twelve (`padded`), zeros beyond the last; only the upper triangle is used, the rest is undefined.
"""

import math

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from markone.numerics.compiling import piece, proof_part

HIGH, LANES, VECTORS = 4, 4, 3
WIDE = LANES * VECTORS
# Rows processed together: this many of a hundred columns fit into the first-level cache.
ROWS = 32

DOUBLE = ir.DoubleType()
VECTOR = ir.VectorType(DOUBLE, LANES)


@intrinsic
def add_tile(typing, B, rows, i, j, sign, H):
    """H[i : i + 4, j : j + 12] += sign sum_k B[k, i : i + 4] B[k, j : j + 12] over the first rows of B.

    One row after the other, each product added with one rounding (two on a machine without that instruction).
    sign is 1.0 or -1.0. B and H may be the same array if the tile is in none of those rows.
    """
    for array in (B, H):
        if not (isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.float64):
            raise TypingError("Tiles are cut from C-contiguous arrays of float64.")
    signature = types.void(B, types.intp, types.intp, types.intp, types.float64, H)

    def generate(context, builder, signature, args):
        table = context.make_array(signature.args[0])(context, builder, args[0])
        into = context.make_array(signature.args[5])(context, builder, args[5])
        columns = cgutils.unpack_tuple(builder, table.shape)[1]
        width = cgutils.unpack_tuple(builder, into.shape)[1]
        rows, i, j, sign = args[1:5]
        kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
        multiply = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f64")

        def wide(value):
            one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.IntType(32)(0))
            same = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), same)

        def place(pointer, at):
            return builder.bitcast(builder.gep(pointer, [at]), VECTOR.as_pointer())

        def shifted(at, by):
            return builder.add(at, ir.Constant(at.type, by))

        signs = wide(sign)
        places, sums = [], []
        for row in range(HIGH):
            start = builder.add(builder.mul(shifted(i, row), width), j)
            for vector in range(VECTORS):
                places.append(place(into.data, shifted(start, LANES * vector)))
                # -(-H + sum) is H - sum to the last bit.
                sums.append(
                    cgutils.alloca_once_value(builder, builder.fmul(signs, builder.load(places[-1], align=8)))
                )
        with cgutils.for_range(builder, rows) as loop:
            start = builder.mul(loop.index, columns)
            right = [
                builder.load(place(table.data, shifted(builder.add(start, j), LANES * vector)), align=8)
                for vector in range(VECTORS)
            ]
            for row in range(HIGH):
                left = wide(builder.load(builder.gep(table.data, [shifted(builder.add(start, i), row)])))
                for vector in range(VECTORS):
                    kept = sums[VECTORS * row + vector]
                    builder.store(builder.call(multiply, [left, right[vector], builder.load(kept)]), kept)
        for where, kept in zip(places, sums, strict=True):
            builder.store(builder.fmul(signs, builder.load(kept)), where, align=8)
        return context.get_dummy_value()

    return signature, generate


@piece
def padded_columns(n):
    """Columns, and rows, of a matrix for n."""
    return (n + WIDE - 1) // WIDE * WIDE


@proof_part
def add_products_tiled(Z, chosen, count, sign, H, B):
    """H += sign sum z z^T over `count` chosen rows of Z. B: a buffer of ROWS rows, as wide as H."""
    N = Z.shape[1]
    for start in range(0, count, ROWS):
        rows = count - start if count - start < ROWS else ROWS
        for k in range(rows):
            row, packed = Z[chosen[start + k]], B[k]
            for j in range(N):
                packed[j] = row[j]
            beyond = packed[N:]
            for j in range(beyond.shape[0]):
                beyond[j] = 0.0
        for i in range(0, N, HIGH):
            for j in range(i // WIDE * WIDE, N, WIDE):
                add_tile(B, rows, i, j, sign, H)


@proof_part
def cholesky_tiled(H, shift, T, inverse):
    """T^T T = H + shift; False where a pivot is not positive. Fills the inverse of T's diagonal, of N.

    Every element is worked out as in the textbook but for the order of its sum, and one rounding more: it is
    multiplied by the inverse of its pivot.
    """
    N = inverse.shape[0]
    for i in range(N):
        # Views, here and below: numba would test every shifted index for being negative.
        start = i // WIDE * WIDE
        whole, target = H[i, start:], T[i, start:]
        for j in range(target.shape[0]):
            target[j] = whole[j]
        T[i, i] += shift
    for first in range(0, N, HIGH):
        for j in range(first // WIDE * WIDE, N, WIDE):
            add_tile(T, first, first, j, -1.0, T)
        for i in range(first, first + HIGH if first + HIGH < N else N):
            row = T[i, i:]
            for k in range(first, i):
                above, b = T[k, i:], T[k, i]
                for j in range(row.shape[0]):
                    row[j] -= b * above[j]
            if not row[0] > 0.0:
                return False
            b = 1.0 / math.sqrt(row[0])
            inverse[i] = b
            for j in range(row.shape[0]):
                row[j] *= b
    return True


@piece
def solve_tiled(T, inverse, g, d):
    """T^T T d = g."""
    N = g.shape[0]
    for j in range(N):
        d[j] = g[j]
    for i in range(N):
        # A scalar, not an element of d, which the compiler would reload because of possible aliasing.
        b = d[i] * inverse[i]
        d[i] = b
        row, rest = T[i, i + 1 : N], d[i + 1 :]
        for j in range(rest.shape[0]):
            rest[j] -= row[j] * b
    for i in range(N - 1, -1, -1):
        row, rest, total = T[i, i + 1 : N], d[i + 1 :], d[i]
        for j in range(rest.shape[0]):
            total -= row[j] * rest[j]
        d[i] = total * inverse[i]
