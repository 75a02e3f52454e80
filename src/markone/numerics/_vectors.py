"""Products of many rows with one vector, eight numbers at a time: the inner loops of an active set.

As LLVM instructions, since numba's optimiser takes long over such loops and leaves the last N mod 32 numbers
to be added one by one. Each function exists in the machine code once. Tables are C-contiguous float64;
`width` numbers of a row count, and up to `LANES` - 1 more are read and written: rows and vectors are padded
with zeros.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from markone.numerics._eight import (
    LANES,
    NUMBERS,
    VECTOR,
    WHOLE,
    WHOLES,
    ZEROS,
    broadcast_lanes,
    check_array,
    int_constant,
    load_vector,
    loop_blocks,
    multiply_add,
    padded_width,
    store_vector,
    sum_lanes,
)

__all__ = [
    "LANES",
    "add_combination",
    "add_outer",
    "add_scaled",
    "combine_rows",
    "dot_padded",
    "multiply_rows",
    "padded_width",
    "write_scaled",
]

# Rows that are processed together, so that the vector is read once for all of them.
TOGETHER = 4


def _in_groups(builder, args, write):
    """Four rows at a time, then one by one."""
    count = args[3]
    fours = builder.udiv(count, int_constant(TOGETHER))
    with cgutils.for_range(builder, fours) as loop:
        first = builder.mul(loop.index, int_constant(TOGETHER))
        write(builder, args, _row_pointers(builder, args, first, TOGETHER), first)
    done = builder.mul(fours, int_constant(TOGETHER))
    with cgutils.for_range(builder, builder.sub(count, done)) as loop:
        first = builder.add(done, loop.index)
        write(builder, args, _row_pointers(builder, args, first, 1), first)


def _row_pointers(builder, args, first, number):
    A, length, rows = args[:3]
    numbers = [builder.load(builder.gep(rows, [builder.add(first, int_constant(k))])) for k in range(number)]
    return [builder.gep(A, [builder.mul(row, length)]) for row in numbers]


def _load_factors(builder, b, first, number):
    found = [builder.load(builder.gep(b, [builder.add(first, int_constant(k))])) for k in range(number)]
    return [broadcast_lanes(builder, factor) for factor in found]


def _write_products(builder, args):
    *_, count, width, b, c = args

    def write(builder, args, rows, first):
        sums = [cgutils.alloca_once(builder, VECTOR) for _ in rows]
        for kept in sums:
            builder.store(ZEROS, kept)
        with loop_blocks(builder, width) as loop:
            at = builder.mul(loop.index, int_constant(LANES))
            other = load_vector(builder, b, at)
            for kept, row in zip(sums, rows, strict=True):
                builder.store(
                    multiply_add(builder, load_vector(builder, row, at), other, builder.load(kept)), kept
                )
        for k, kept in enumerate(sums):
            where = builder.gep(c, [builder.add(first, int_constant(k))])
            builder.store(sum_lanes(builder, builder.load(kept)), where)

    _in_groups(builder, args, write)
    store_vector(builder, ZEROS, c, count)


def _write_added_rows(builder, args):
    width, b, c = args[4:]

    def write(builder, args, rows, first):
        factors = _load_factors(builder, b, first, len(rows))
        with loop_blocks(builder, width) as loop:
            at = builder.mul(loop.index, int_constant(LANES))
            total = load_vector(builder, c, at)
            for factor, row in zip(factors, rows, strict=True):
                total = multiply_add(builder, load_vector(builder, row, at), factor, total)
            store_vector(builder, total, c, at)

    _in_groups(builder, args, write)


def _write_combination(builder, args):
    width, c = args[4], args[6]
    with loop_blocks(builder, width) as loop:
        store_vector(builder, ZEROS, c, builder.mul(loop.index, int_constant(LANES)))
    _write_added_rows(builder, args)


def _add_outer(builder, args):
    width, b, c = args[4:]

    def write(builder, args, rows, first):
        factors = _load_factors(builder, b, first, len(rows))
        with loop_blocks(builder, width) as loop:
            at = builder.mul(loop.index, int_constant(LANES))
            other = load_vector(builder, c, at)
            for factor, row in zip(factors, rows, strict=True):
                store_vector(
                    builder, multiply_add(builder, other, factor, load_vector(builder, row, at)), row, at
                )

    _in_groups(builder, args, write)


def _shared_function(module, name, write):
    """void name(A, length of its rows, rows, count, width, b, c): written into the module once."""
    found = module.globals.get(name)
    if found is None:
        kinds = [NUMBERS, WHOLE, WHOLES, WHOLE, WHOLE, NUMBERS, NUMBERS]
        found = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), name)
        found.linkage = "internal"
        found.attributes.add("noinline")
        found.attributes.add("nounwind")
        builder = ir.IRBuilder(found.append_basic_block("entry"))
        write(builder, found.args)
        builder.ret_void()
    return found


def _typed_call(write, A, rows, b, c):
    """Signature and call of such a function; checks the layout of the arrays."""
    for array, ndim, dtype in (
        (A, 2, types.float64),
        (rows, 1, types.int64),
        (b, 1, A.dtype),
        (c, 1, A.dtype),
    ):
        check_array(array, ndim, dtype)

    def generate(context, builder, signature, args):
        A, rows, count, width, b, c = args
        kinds = signature.args
        table = context.make_array(kinds[0])(context, builder, A)
        length = cgutils.unpack_tuple(builder, table.shape)[1]
        rows, b, c = (
            context.make_array(kinds[k])(context, builder, array).data
            for k, array in ((1, rows), (4, b), (5, c))
        )
        function = _shared_function(builder.module, f"markone{write.__name__}", write)
        builder.call(function, [table.data, length, rows, count, width, b, c])
        return context.get_dummy_value()

    return types.void(A, rows, types.intp, types.intp, b, c), generate


@intrinsic
def multiply_rows(typing, A, rows, count, width, b, c):
    """c[i] = A[rows[i]] . b for i < count, and eight zeros behind."""
    return _typed_call(_write_products, A, rows, b, c)


@intrinsic
def combine_rows(typing, A, rows, count, width, b, c):
    """c = sum over i < count of b[i] A[rows[i]]."""
    return _typed_call(_write_combination, A, rows, b, c)


@intrinsic
def add_combination(typing, A, rows, count, width, b, c):
    """c += sum over i < count of b[i] A[rows[i]]."""
    return _typed_call(_write_added_rows, A, rows, b, c)


@intrinsic
def add_outer(typing, A, rows, count, width, b, c):
    """A[rows[i]] += b[i] c for i < count."""
    return _typed_call(_add_outer, A, rows, b, c)


@intrinsic
def dot_padded(typing, a, b, width):
    """a . b; inlined."""
    check_array(a, 1, types.float64)
    check_array(b, 1, types.float64)

    def generate(context, builder, signature, args):
        a, b = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 1))
        kept = cgutils.alloca_once(builder, VECTOR)
        builder.store(ZEROS, kept)
        with loop_blocks(builder, args[2]) as loop:
            at = builder.mul(loop.index, int_constant(LANES))
            found = multiply_add(
                builder, load_vector(builder, a, at), load_vector(builder, b, at), builder.load(kept)
            )
            builder.store(found, kept)
        return sum_lanes(builder, builder.load(kept))

    return types.float64(a, b, types.intp), generate


def _of_vectors(a, b, write):
    """Signature and instructions of b = write(factor, a, b)."""
    check_array(a, 1, types.float64)
    check_array(b, 1, types.float64)

    def generate(context, builder, signature, args):
        a, b = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (1, 2))
        factor = broadcast_lanes(builder, args[0])
        with loop_blocks(builder, args[3]) as loop:
            at = builder.mul(loop.index, int_constant(LANES))
            store_vector(
                builder,
                write(builder, factor, load_vector(builder, a, at), load_vector(builder, b, at)),
                b,
                at,
            )
        return context.get_dummy_value()

    return types.void(types.float64, a, b, types.intp), generate


@intrinsic
def add_scaled(typing, factor, a, b, width):
    """b += factor a; inlined."""
    return _of_vectors(a, b, lambda builder, factor, a, b: multiply_add(builder, a, factor, b))


@intrinsic
def write_scaled(typing, factor, a, b, width):
    """b = factor a; inlined."""
    return _of_vectors(a, b, lambda builder, factor, a, b: builder.fmul(a, factor))
