"""Add four examples to w in one pass: w is read and written once instead of four times.

Written as LLVM instructions: with five arrays numba's optimiser would have to check all pairs for overlap,
which takes ten times as long to compile.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

LANES = 4
DOUBLE = ir.DoubleType()
VECTOR = ir.VectorType(DOUBLE, LANES)


@intrinsic
def add_four_rows(typing, xi, i, j, k, l, a, b, c, d, w):
    """w += a xi[i], then b xi[j], c xi[k] and d xi[l], in this order whatever the flags: as by four `add`.

    Each product is added with one rounding where the machine has such an instruction. w is no row of xi.
    """
    for array in (xi, w):
        if not (isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.float64):
            raise TypingError("Rows are added as neighbours in C-contiguous arrays of float64.")
    signature = types.void(xi, *[types.intp] * 4, *[types.float64] * 4, w)

    def generate(context, builder, signature, args):
        table = context.make_array(signature.args[0])(context, builder, args[0])
        weights = context.make_array(signature.args[-1])(context, builder, args[-1])
        N = cgutils.unpack_tuple(builder, weights.shape)[0]
        rows = [builder.gep(table.data, [builder.mul(mu, N)]) for mu in args[1:5]]
        whole = builder.and_(N, N.type(-LANES))
        wide = [_fill_lanes(builder, factor) for factor in args[5:9]]
        _add_components(builder, N.type(0), whole, LANES, VECTOR, f"v{LANES}f64", wide, rows, weights.data)
        _add_components(builder, whole, N, 1, DOUBLE, "f64", args[5:9], rows, weights.data)
        return context.get_dummy_value()

    return signature, generate


def _add_components(builder, start, stop, width, kind, name, factors, rows, weights):
    """The components from start to stop, `width` of them at a time."""
    multiply = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fmuladd.{name}"
    )

    def place(pointer, at):
        return builder.bitcast(builder.gep(pointer, [at]), kind.as_pointer())

    with cgutils.for_range_slice(builder, start, stop, start.type(width), inc=True) as (at, _):
        total = builder.load(place(weights, at), align=8)
        for factor, row in zip(factors, rows, strict=True):
            total = builder.call(multiply, [factor, builder.load(place(row, at), align=8), total])
        builder.store(total, place(weights, at), align=8)


def _fill_lanes(builder, value):
    """A vector that is `value` in all its lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    same = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), same)
