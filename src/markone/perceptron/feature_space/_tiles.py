"""Tiles of eight rows and columns, turned in registers: across a matrix numbers come one by one from memory.

Written in instructions for vectors, which numba's optimiser does not find in loops over rows and columns.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

SIDE = 8
DOUBLES, WHOLE = ir.VectorType(ir.DoubleType(), SIDE), ir.VectorType(ir.IntType(64), SIDE)
INDEX = ir.IntType(32)


def _tile(context, builder, kind, array, i, j):
    """Where the rows of the tile with the corner (i, j) begin."""
    table = context.make_array(kind)(context, builder, array)
    width = cgutils.unpack_tuple(builder, table.shape)[1]
    starts = []
    for k in range(SIDE):
        row = builder.mul(builder.add(i, ir.Constant(i.type, k)), width)
        starts.append(builder.gep(table.data, [builder.add(row, j)]))
    return starts


def _loaded(builder, starts):
    return [builder.load(builder.bitcast(p, DOUBLES.as_pointer()), align=8) for p in starts]


def _turned(builder, rows):
    """The columns of these rows: halves change places at a distance of 4, 2, 1 rows."""
    distance = SIDE // 2
    while distance:
        lower = [k + (SIDE if k & distance else 0) - (k & distance) for k in range(SIDE)]
        upper = [at + distance for at in lower]
        new = list(rows)
        for k in range(SIDE):
            if not k & distance:
                pair = rows[k], rows[k + distance]
                new[k] = builder.shuffle_vector(*pair, ir.Constant(ir.VectorType(INDEX, SIDE), lower))
                new[k + distance] = builder.shuffle_vector(
                    *pair, ir.Constant(ir.VectorType(INDEX, SIDE), upper)
                )
        rows, distance = new, distance // 2
    return rows


def _matrices(*arrays):
    for array in arrays:
        if not (isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.float64):
            raise TypingError("The tiles are those of C-contiguous arrays of float64.")


@intrinsic
def turn(typing, K, i, j):
    """K^T at the tile of K with the corner (i, j), written where it belongs in K: at (j, i)."""
    _matrices(K)

    def generate(context, builder, signature, args):
        kind = signature.args[0]
        rows = _turned(builder, _loaded(builder, _tile(context, builder, kind, *args)))
        places = _tile(context, builder, kind, args[0], args[2], args[1])
        for row, place in zip(rows, places, strict=True):
            builder.store(row, builder.bitcast(place, DOUBLES.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(K, types.intp, types.intp), generate


@intrinsic
def unlike(typing, K, i, j, most):
    """most[k] = max of it and of the bits of |K - K^T| in column k of the tile with the corner (i, j)."""
    _matrices(K)

    def generate(context, builder, signature, args):
        kind = signature.args[0]
        rows = _loaded(builder, _tile(context, builder, kind, *args[:3]))
        others = _turned(builder, _loaded(builder, _tile(context, builder, kind, args[0], args[2], args[1])))
        kept = context.make_array(signature.args[3])(context, builder, args[3])
        where = builder.bitcast(kept.data, WHOLE.as_pointer())
        top, sign = builder.load(where, align=8), ir.Constant(WHOLE, [(1 << 63) - 1] * SIDE)
        for row, other in zip(rows, others, strict=True):
            size = builder.and_(builder.bitcast(builder.fsub(row, other), WHOLE), sign)
            top = builder.select(builder.icmp_signed(">", size, top), size, top)
        builder.store(top, where, align=8)
        return context.get_dummy_value()

    return types.void(K, types.intp, types.intp, most), generate
