"""Error-free sums and products, the basis of the proofs.

Every function here is correct only if each operation is rounded once, as written. Those written as LLVM
instructions (a one-line function takes numba a twentieth of a second) refuse to be compiled into fastmath
code; `error_of` is a `proof_part`, never a `part`.
"""

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from markone.numerics.compiling import proof_part

# Unit roundoff, and the smallest positive number.
U = 2.0**-53
ETA = 2.0**-1074

DOUBLE = ir.DoubleType()


def refuse_fastmath(context):
    if context.fastmath:
        raise TypingError("A proof needs each operation as it is written: compile it with `proof_entry`.")


def _emit_two_sum(builder, a, b):
    """s and a + b - s, as instructions   (Knuth)."""
    s = builder.fadd(a, b)
    c = builder.fsub(s, a)
    return s, builder.fadd(builder.fsub(a, builder.fsub(s, c)), builder.fsub(b, c))


def _emit_two_product(builder, a, b):
    """p and a b - p, as instructions."""
    p = builder.fmul(a, b)
    return p, builder.fma(a, b, builder.fneg(p))


def _emit_abs(builder, a):
    fabs = builder.module.declare_intrinsic("llvm.fabs", [DOUBLE], ir.FunctionType(DOUBLE, [DOUBLE]))
    return builder.call(fabs, [a])


@intrinsic
def two_sum(typing, a, b):
    """(s, e) with s = fl(a + b) and s + e = a + b exactly   (Knuth)."""

    def generate(context, builder, signature, args):
        refuse_fastmath(context)
        return context.make_tuple(builder, signature.return_type, _emit_two_sum(builder, *args))

    return types.UniTuple(types.float64, 2)(types.float64, types.float64), generate


@intrinsic
def two_product(typing, a, b):
    """(p, e) with p = fl(a b) and p + e = a b exactly, but for e below 2^-1074."""

    def generate(context, builder, signature, args):
        refuse_fastmath(context)
        return context.make_tuple(builder, signature.return_type, _emit_two_product(builder, *args))

    return types.UniTuple(types.float64, 2)(types.float64, types.float64), generate


@intrinsic
def add_product(typing, a, b, high, low, size):
    """high + low += a b; size += |a b|."""

    def generate(context, builder, signature, args):
        refuse_fastmath(context)
        a, b, high, low, size = args
        p, e = _emit_two_product(builder, a, b)
        high, d = _emit_two_sum(builder, high, p)
        rest, amount = builder.fadd(low, builder.fadd(d, e)), builder.fadd(size, _emit_abs(builder, p))
        return context.make_tuple(builder, signature.return_type, (high, rest, amount))

    return types.UniTuple(types.float64, 3)(*[types.float64] * 5), generate


@proof_part
def sum_error_bound(result, terms, size):
    """Error bound of a compensated sum of `terms` terms with sum of absolute values `size`.

    Ogita, Rump and Oishi (2005): |error| <= u |sum| + gamma_n^2 size; the
    factors cover the rounding of this line and of `size` itself.
    """
    n = 2.0 * terms + 40.0
    gamma = n * U / (1.0 - n * U)
    return (U * abs(result) + 2.0 * gamma * gamma * size + 4.0 * n * ETA) * (1.0 + 8.0 * U)
