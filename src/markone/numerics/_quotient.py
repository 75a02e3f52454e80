"""a / b without a test for zero: that branch would prevent vectorisation."""

from numba import types
from numba.extending import intrinsic


@intrinsic
def divide_unchecked(typing, a, b):
    """a / b of float64 numbers; by zero infinite or NaN, never an exception."""

    def generate(context, builder, signature, args):
        return builder.fdiv(*args)

    return types.float64(types.float64, types.float64), generate
