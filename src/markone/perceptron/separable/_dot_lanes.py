"""Compensated dot product of a dense row in four SIMD lanes.

Numba does not vectorise the four sums by itself and takes four times as long.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from markone.perceptron.separable._roundings import DOUBLE, _emit_two_sum, refuse_fastmath

LANES = 4
VECTOR = ir.VectorType(DOUBLE, LANES)


def _call_vector_intrinsic(builder, name, *vectors):
    """Call a vector intrinsic of LLVM by name."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(vectors))
    named = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f64")
    return builder.call(named, vectors)


def _load_four(builder, pointer, at, kind):
    """Load four consecutive components as doubles."""
    element = ir.FloatType() if kind == types.float32 else DOUBLE
    where = builder.bitcast(builder.gep(pointer, [at]), ir.VectorType(element, LANES).as_pointer())
    found = builder.load(where, align=4 if kind == types.float32 else 8)
    return builder.fpext(found, VECTOR) if kind == types.float32 else found


@intrinsic
def dot_in_lanes(typing, xi, mu, scale, w):
    """(sums, their errors, sums of sizes) of scale xi^mu . w in four lanes: components j, j + 4, ...

    If N is no multiple of four, the caller adds the remaining components.
    """
    for array in (xi, w):
        if not (isinstance(array, types.Array) and array.layout == "C"):
            raise TypingError("Four components are consecutive in C-contiguous arrays only.")
    four = types.UniTuple(types.float64, LANES)
    signature = types.UniTuple(four, 3)(xi, types.intp, types.float64, w)

    def generate(context, builder, signature, args):
        refuse_fastmath(context)
        table = context.make_array(signature.args[0])(context, builder, args[0])
        weights = context.make_array(signature.args[3])(context, builder, args[3])
        N = cgutils.unpack_tuple(builder, table.shape)[1]
        row = builder.gep(table.data, [builder.mul(args[1], N)])
        unit = cgutils.alloca_once(builder, VECTOR)
        zero = ir.Constant(VECTOR, [0.0] * LANES)
        times = zero
        for k in range(LANES):
            times = builder.insert_element(times, args[2], ir.Constant(ir.IntType(32), k))
        builder.store(times, unit)
        high, low, size = (cgutils.alloca_once_value(builder, zero) for _ in range(3))
        with cgutils.for_range(builder, builder.udiv(N, ir.Constant(N.type, LANES))) as loop:
            at = builder.mul(loop.index, ir.Constant(N.type, LANES))
            z = _load_four(builder, row, at, signature.args[0].dtype)
            a = builder.fmul(builder.load(unit), z)
            b = _load_four(builder, weights.data, at, signature.args[3].dtype)
            p = builder.fmul(a, b)
            e = _call_vector_intrinsic(builder, "fma", a, b, builder.fneg(p))
            total, d = _emit_two_sum(builder, builder.load(high), p)
            builder.store(total, high)
            builder.store(builder.fadd(builder.load(low), builder.fadd(d, e)), low)
            builder.store(builder.fadd(builder.load(size), _call_vector_intrinsic(builder, "fabs", p)), size)
        found = []
        for kept in (high, low, size):
            vector = builder.load(kept)
            parts = [builder.extract_element(vector, ir.Constant(ir.IntType(32), k)) for k in range(LANES)]
            found.append(context.make_tuple(builder, four, parts))
        return context.make_tuple(builder, signature.return_type, found)

    return signature, generate
