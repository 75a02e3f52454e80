"""Rows of vectors: copied, scaled, added to each other, multiplied with each other. See `_sums.py`."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from markone.lab.scenarios.storage._lane_vectors import INDEX, _load_vector, _store_vector, _unpack_arrays
from markone.lab.scenarios.storage._tiles import FLAGS, _plus
from markone.lab.scenarios.storage.single._sums import ORDER, WHOLE, WIDTH, _emptied, _everywhere, _kind


@intrinsic
def dot(typing, A, a, B, b, n):
    """Sum of n vectors of A from a times those of B from b."""
    kind = _kind(A)

    def generate(context, builder, signature, args):
        A, a, B, b, n = _unpack_arrays(context, builder, signature, args)
        (total,) = _emptied(builder, kind, 1)
        with cgutils.for_range(builder, n) as loop:
            left = _load_vector(builder, A, kind, builder.add(a, loop.index))
            right = _load_vector(builder, B, kind, builder.add(b, loop.index))
            builder.store(_plus(builder, builder.load(total), left, right), total)
        vector, half = builder.load(total), WIDTH // 2
        while half:
            order = ir.Constant(ORDER, [(k + half) % WIDTH for k in range(WIDTH)])
            vector = builder.fadd(vector, builder.shuffle_vector(vector, vector, order))
            half //= 2
        return builder.extract_element(vector, INDEX(0))

    return A.dtype(A, WHOLE, B, WHOLE, WHOLE), generate


@intrinsic
def subtract(typing, R, row, other, factor, V, v):
    """R[row] -= factor R[other], from vector v on."""
    kind = _kind(R)

    def generate(context, builder, signature, args):
        R, row, other, factor, V, v = _unpack_arrays(context, builder, signature, args)
        here, there, factor = builder.mul(row, V), builder.mul(other, V), _everywhere(builder, kind, factor)
        with cgutils.for_range(builder, builder.sub(V, v)) as loop:
            k = builder.add(v, loop.index)
            old = _load_vector(builder, R, kind, builder.add(here, k))
            product = builder.fmul(factor, _load_vector(builder, R, kind, builder.add(there, k)), flags=FLAGS)
            _store_vector(builder, builder.fsub(old, product, flags=FLAGS), R, kind, builder.add(here, k))
        return context.get_dummy_value()

    return types.none(R, WHOLE, WHOLE, R.dtype, WHOLE, WHOLE), generate


@intrinsic
def scale(typing, R, row, factor, V, v):
    """R[row] *= factor, from vector v on."""
    kind = _kind(R)

    def generate(context, builder, signature, args):
        R, row, factor, V, v = _unpack_arrays(context, builder, signature, args)
        here, factor = builder.mul(row, V), _everywhere(builder, kind, factor)
        with cgutils.for_range(builder, builder.sub(V, v)) as loop:
            place = builder.add(builder.add(here, v), loop.index)
            _store_vector(
                builder, builder.fmul(factor, _load_vector(builder, R, kind, place)), R, kind, place
            )
        return context.get_dummy_value()

    return types.none(R, WHOLE, R.dtype, WHOLE, WHOLE), generate


@intrinsic
def copy(typing, A, a, n, B, b):
    """B[b + k] = A[a + k], n vectors."""
    source, target = _kind(A), _kind(B)

    def generate(context, builder, signature, args):
        A, a, n, B, b = _unpack_arrays(context, builder, signature, args)
        with cgutils.for_range(builder, n) as loop:
            value = _load_vector(builder, A, source, builder.add(a, loop.index))
            value = value if source is target else builder.fpext(value, target)
            _store_vector(builder, value, B, target, builder.add(b, loop.index))
        return context.get_dummy_value()

    return types.none(A, WHOLE, WHOLE, B, WHOLE), generate
