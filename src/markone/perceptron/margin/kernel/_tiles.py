"""Tiles of 8 x 8 elements, transposed in registers.

Written as LLVM vector instructions, which numba does not generate from loops over rows and columns.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

SIDE = 8
DOUBLES, WHOLE = ir.VectorType(ir.DoubleType(), SIDE), ir.VectorType(ir.IntType(64), SIDE)
INDEX = ir.IntType(32)


def _row_pointers(context, builder, kind, array, i, j):
    """Pointers to the rows of the tile with the corner (i, j)."""
    table = context.make_array(kind)(context, builder, array)
    width = cgutils.unpack_tuple(builder, table.shape)[1]
    starts = []
    for k in range(SIDE):
        row = builder.mul(builder.add(i, ir.Constant(i.type, k)), width)
        starts.append(builder.gep(table.data, [builder.add(row, j)]))
    return starts


def _load_rows(builder, starts):
    return [builder.load(builder.bitcast(p, DOUBLES.as_pointer()), align=8) for p in starts]


def _transpose_rows(builder, rows):
    """Transpose the rows: swap halves at a distance of 4, 2, 1 rows."""
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


def _check_matrices(*arrays):
    for array in arrays:
        if not (isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.float64):
            raise TypingError("Tiles need C-contiguous arrays of float64.")


@intrinsic
def transpose_tile(typing, K, i, j):
    """Write the transpose of the tile with the corner (i, j) to the tile at (j, i)."""
    _check_matrices(K)

    def generate(context, builder, signature, args):
        kind = signature.args[0]
        rows = _transpose_rows(builder, _load_rows(builder, _row_pointers(context, builder, kind, *args)))
        places = _row_pointers(context, builder, kind, args[0], args[2], args[1])
        for row, place in zip(rows, places, strict=True):
            builder.store(row, builder.bitcast(place, DOUBLES.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(K, types.intp, types.intp), generate


@intrinsic
def compare_tiles(typing, K, i, j, lifted, skew, size, above):
    """Compare the tile of K with the corner (i, j) to the one across the diagonal, column by column.

    Largest bits of |K - K^T| into `skew`, of |K| into `size`; number of K^2 > lifted lifted' into `above`.
    """
    _check_matrices(K)

    def generate(context, builder, signature, args):
        kind = signature.args[0]
        i, j = args[1:3]
        rows = _load_rows(builder, _row_pointers(context, builder, kind, *args[:3]))
        others = _transpose_rows(
            builder, _load_rows(builder, _row_pointers(context, builder, kind, args[0], j, i))
        )
        lifts, *kept = (
            context.make_array(of)(context, builder, array).data
            for of, array in zip(signature.args[3:], args[3:], strict=True)
        )
        along = _load_rows(builder, [builder.gep(lifts, [j])])[0]
        places = [builder.bitcast(place, WHOLE.as_pointer()) for place in kept]
        unlike, large, count = (builder.load(place, align=8) for place in places)
        positive = ir.Constant(WHOLE, [(1 << 63) - 1] * SIDE)
        for k, (row, other) in enumerate(zip(rows, others, strict=True)):
            apart = builder.and_(builder.bitcast(builder.fsub(row, other), WHOLE), positive)
            unlike = builder.select(builder.icmp_signed(">", apart, unlike), apart, unlike)
            own = builder.and_(builder.bitcast(row, WHOLE), positive)
            large = builder.select(builder.icmp_signed(">", own, large), own, large)
            lift = builder.load(builder.gep(lifts, [builder.add(i, ir.Constant(i.type, k))]))
            lift = builder.insert_element(ir.Constant(DOUBLES, ir.Undefined), lift, ir.Constant(INDEX, 0))
            lift = builder.shuffle_vector(lift, lift, ir.Constant(ir.VectorType(INDEX, SIDE), [0] * SIDE))
            more = builder.fcmp_ordered(">", builder.fmul(row, row), builder.fmul(lift, along))
            count = builder.add(count, builder.zext(more, WHOLE))
        for place, value in zip(places, (unlike, large, count), strict=True):
            builder.store(value, place, align=8)
        return context.get_dummy_value()

    return types.void(K, types.intp, types.intp, lifted, skew, size, above), generate
