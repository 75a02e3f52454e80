"""LLVM instructions on eight numbers at a time, and the checks of arrays they need."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

LANES = 8

DOUBLE, WHOLE = ir.DoubleType(), ir.IntType(64)
VECTOR = ir.VectorType(DOUBLE, LANES)
ZEROS = ir.Constant(VECTOR, [0.0] * LANES)
NUMBERS, WHOLES = DOUBLE.as_pointer(), WHOLE.as_pointer()


def padded_width(width: int) -> int:
    """Length of a padded row of `width` numbers."""
    return -(-width // LANES) * LANES


def int_constant(number):
    return ir.Constant(WHOLE, number)


def vector_pointer(builder, pointer, index):
    """Pointer to eight consecutive numbers."""
    return builder.bitcast(builder.gep(pointer, [index]), VECTOR.as_pointer())


def load_vector(builder, pointer, index):
    return builder.load(vector_pointer(builder, pointer, index), align=8)


def store_vector(builder, value, pointer, index):
    builder.store(value, vector_pointer(builder, pointer, index), align=8)


def broadcast_lanes(builder, value):
    """The same number in all lanes."""
    none = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(none, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, none, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def multiply_add(builder, a, b, c):
    """a b + c, rounded once where the CPU can."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    named = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f64")
    return builder.call(named, [a, b, c])


def sum_lanes(builder, vector):
    kind = ir.FunctionType(DOUBLE, [DOUBLE, VECTOR])
    named = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{LANES}f64")
    return builder.call(named, [ir.Constant(DOUBLE, -0.0), vector], fastmath=("reassoc",))


def loop_blocks(builder, width):
    """Loop over the vectors of a row."""
    more = builder.add(width, int_constant(LANES - 1))
    return cgutils.for_range(builder, builder.udiv(more, int_constant(LANES)))


def check_array(array, ndim, dtype):
    if not (isinstance(array, types.Array) and (array.ndim, array.layout) == (ndim, "C")):
        raise TypingError("The array must be C-contiguous.")
    if array.dtype != dtype:
        raise TypingError(f"An array of {dtype} is needed, not of {array.dtype}.")
