"""Four examples added to w in one pass: it is read and written once instead of four times.

Written as instructions: of five arrays numba's optimiser would have to make sure that none overlaps another,
and takes ten times as long to compile that.
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
def add_four(typing, xi, i, j, k, l, a, w):
    """w += a[i] xi[i], then the same with j, k and l, in this order whatever the flags: the bits of four `add`.

    Each product is added with one rounding where the machine has such an instruction. w is no row of xi.
    """
    return _adding(4, xi, a, w)


@intrinsic
def add_one(typing, xi, i, a, w):
    """w += a[i] xi[i], as `add_four` does it."""
    return _adding(1, xi, a, w)


def _adding(count, xi, a, w):
    """Type and code of the sum of so many rows."""
    for array in (xi, a, w):
        if not (isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.float64):
            raise TypingError("Rows are added as neighbours in C-contiguous arrays of float64.")

    def generate(context, builder, signature, args):
        kinds = (signature.args[0], *signature.args[-2:])
        table, strengths, weights = (
            context.make_array(kind)(context, builder, arg)
            for kind, arg in zip(kinds, (args[0], *args[-2:]), strict=True)
        )
        N = cgutils.unpack_tuple(builder, weights.shape)[0]
        rows = [builder.gep(table.data, [builder.mul(mu, N)]) for mu in args[1:-2]]
        factors = [builder.load(builder.gep(strengths.data, [mu])) for mu in args[1:-2]]
        whole = builder.and_(N, N.type(-LANES))
        wide = [_everywhere(builder, factor) for factor in factors]
        _sweep(builder, N.type(0), whole, LANES, VECTOR, f"v{LANES}f64", wide, rows, weights.data)
        _sweep(builder, whole, N, 1, DOUBLE, "f64", factors, rows, weights.data)
        return context.get_dummy_value()

    return types.void(xi, *[types.intp] * count, a, w), generate


def _sweep(builder, start, stop, width, kind, name, factors, rows, weights):
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


def _everywhere(builder, value):
    """A vector that is `value` in all its lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    same = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), same)
