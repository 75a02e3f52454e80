"""Eight numbers of the ziggurat at a time, on CPUs that multiply eight 64-bit numbers at once (AVX-512).

SplitMix64 is a counter: its next eight outputs are independent. Four of five times all of them fall inside
their boxes. The numbers are bit for bit those of `draw_inputs` one by one: each operation is the same, or
free of rounding.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from markone.numerics._random import BOX, EDGES, GOLDEN, MIX_1, MIX_2

EIGHT = 8
# Interleaved, for one load: the right edge of each box and that of the next.
PAIRS = np.column_stack([EDGES[:-1], EDGES[1:]]).ravel()

LONG, WHOLE = ir.IntType(64), ir.VectorType(ir.IntType(64), EIGHT)
SHORT, BYTE = ir.VectorType(ir.IntType(32), EIGHT), ir.IntType(8)
REAL, PAIR = ir.VectorType(ir.DoubleType(), EIGHT), ir.VectorType(ir.DoubleType(), 2)
# Added to a number below 2^51 in size it leaves the nearest integer, half to even, in the last bits.
MAGIC = 1.5 * 2.0**52


def _vector_constant(kind, value):
    return ir.Constant(kind, [ir.Constant(kind.element, value)] * kind.count)


def _mix_bits(builder, z):
    for shift, factor in ((30, MIX_1), (27, MIX_2)):
        z = builder.mul(
            builder.xor(z, builder.lshr(z, _vector_constant(WHOLE, shift))),
            _vector_constant(WHOLE, int(factor)),
        )
    return builder.xor(z, builder.lshr(z, _vector_constant(WHOLE, 31)))


def _concatenate_vectors(builder, parts):
    """Concatenate several vectors."""
    while len(parts) > 1:
        n = 2 * parts[0].type.count
        order = ir.Constant(ir.VectorType(ir.IntType(32), n), list(range(n)))
        parts = [builder.shuffle_vector(a, b, order) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def _load_edges(builder, table, boxes):
    """The edges of eight boxes and the next ones."""
    pairs, base = [], builder.bitcast(table.data, BYTE.as_pointer())
    offsets = builder.shl(boxes, _vector_constant(WHOLE, 4))
    for k in range(EIGHT):
        place = builder.gep(base, [builder.extract_element(offsets, LONG(k))])
        pairs.append(builder.load(builder.bitcast(place, PAIR.as_pointer()), align=8))
    even, odd = _concatenate_vectors(builder, pairs[::2]), _concatenate_vectors(builder, pairs[1::2])
    kind = ir.VectorType(ir.IntType(32), EIGHT)
    both = [[k for n in range(4) for k in (2 * n + p, EIGHT + 2 * n + p)] for p in range(2)]
    return [builder.shuffle_vector(even, odd, ir.Constant(kind, order)) for order in both]


@intrinsic
def draw_eight(typing, place, table, units, z, j):
    """Fill z[j] .. z[j + 7] from the eight outputs after `place`; return how many, from the first on, lie
    in their boxes: the others are not valid. 0 on a CPU where this would be slower than one by one."""

    def generate(context, builder, signature, args):
        if "+avx512dq" not in context.codegen().magic_tuple()[2].split(","):
            return LONG(0)
        place, table, units, z, j = args
        table = context.make_array(signature.args[1])(context, builder, table)
        z = context.make_array(signature.args[3])(context, builder, z)
        ahead = [ir.Constant(LONG, int(GOLDEN) * k % 2**64) for k in range(1, EIGHT + 1)]
        none, first = ir.Constant(WHOLE, ir.Undefined), ir.Constant(SHORT, None)
        everywhere = builder.shuffle_vector(builder.insert_element(none, place, LONG(0)), none, first)
        bits = _mix_bits(builder, builder.add(everywhere, ir.Constant(WHOLE, ahead)))
        edge, inner = _load_edges(builder, table, builder.and_(bits, _vector_constant(WHOLE, int(BOX))))
        # 2 (bits >> 11) 2^-53 - 1, as a whole number times 2^-52.
        centred = builder.sub(builder.lshr(bits, _vector_constant(WHOLE, 11)), _vector_constant(WHOLE, 2**52))
        x = builder.fmul(builder.fmul(builder.sitofp(centred, REAL), _vector_constant(REAL, 2.0**-52)), edge)
        size = builder.bitcast(
            builder.and_(builder.bitcast(x, WHOLE), _vector_constant(WHOLE, 2**63 - 1)), REAL
        )
        inside = builder.bitcast(builder.fcmp_ordered("<", size, inner), BYTE)
        scale = builder.insert_element(ir.Constant(REAL, ir.Undefined), units, LONG(0))
        scale = builder.shuffle_vector(scale, ir.Constant(REAL, ir.Undefined), first)
        near = builder.bitcast(builder.fadd(builder.fmul(x, scale), _vector_constant(REAL, MAGIC)), WHOLE)
        target = builder.bitcast(builder.gep(z.data, [j]), SHORT.as_pointer())
        builder.store(builder.trunc(near, SHORT), target, align=4)
        outside = builder.zext(builder.not_(inside), LONG)
        return builder.cttz(builder.or_(outside, LONG(1 << EIGHT)), ir.IntType(1)(1))

    return types.int64(types.uint64, table, types.float64, z, types.int64), generate
