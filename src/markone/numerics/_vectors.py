"""Products of many rows with one vector, eight numbers at a time: what an active set is made of.

As instructions, since numba's optimiser takes long over such loops and leaves the last N mod 32 numbers to be
added one by one. Each stands in the machine code once, however often it is called. Tables are C-contiguous
float64; `width` numbers of a row count, and up to `LANES` - 1 more are read and written: rows and vectors are
that much longer, and hold zeros there.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

LANES = 8
# So many rows share what is read of the vector.
TOGETHER = 4

DOUBLE, WHOLE = ir.DoubleType(), ir.IntType(64)
VECTOR = ir.VectorType(DOUBLE, LANES)
ZEROS = ir.Constant(VECTOR, [0.0] * LANES)
NUMBERS, WHOLES = DOUBLE.as_pointer(), WHOLE.as_pointer()


def padded(width: int) -> int:
    """How long rows of so many numbers are."""
    return -(-width // LANES) * LANES


def _whole(number):
    return ir.Constant(WHOLE, number)


def _at(builder, pointer, index):
    """Where eight neighbours begin."""
    return builder.bitcast(builder.gep(pointer, [index]), VECTOR.as_pointer())


def _load(builder, pointer, index):
    return builder.load(_at(builder, pointer, index), align=8)


def _store(builder, value, pointer, index):
    builder.store(value, _at(builder, pointer, index), align=8)


def _alike(builder, value):
    """The same number in all lanes."""
    none = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(none, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, none, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _more(builder, a, b, c):
    """a b + c, rounded once where the CPU can."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    named = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f64")
    return builder.call(named, [a, b, c])


def _total(builder, vector):
    kind = ir.FunctionType(DOUBLE, [DOUBLE, VECTOR])
    named = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{LANES}f64")
    return builder.call(named, [ir.Constant(DOUBLE, -0.0), vector], fastmath=("reassoc",))


def _blocks(builder, width):
    """A loop over the vectors of a row."""
    more = builder.add(width, _whole(LANES - 1))
    return cgutils.for_range(builder, builder.udiv(more, _whole(LANES)))


def _in_groups(builder, args, write):
    """Four rows at a time, then one by one."""
    count = args[3]
    fours = builder.udiv(count, _whole(TOGETHER))
    with cgutils.for_range(builder, fours) as loop:
        first = builder.mul(loop.index, _whole(TOGETHER))
        write(builder, args, _rows(builder, args, first, TOGETHER), first)
    done = builder.mul(fours, _whole(TOGETHER))
    with cgutils.for_range(builder, builder.sub(count, done)) as loop:
        first = builder.add(done, loop.index)
        write(builder, args, _rows(builder, args, first, 1), first)


def _rows(builder, args, first, number):
    A, length, rows = args[:3]
    numbers = [builder.load(builder.gep(rows, [builder.add(first, _whole(k))])) for k in range(number)]
    return [builder.gep(A, [builder.mul(row, length)]) for row in numbers]


def _factors(builder, b, first, number):
    found = [builder.load(builder.gep(b, [builder.add(first, _whole(k))])) for k in range(number)]
    return [_alike(builder, factor) for factor in found]


def _products(builder, args):
    *_, count, width, b, c = args

    def write(builder, args, rows, first):
        sums = [cgutils.alloca_once(builder, VECTOR) for _ in rows]
        for kept in sums:
            builder.store(ZEROS, kept)
        with _blocks(builder, width) as loop:
            at = builder.mul(loop.index, _whole(LANES))
            other = _load(builder, b, at)
            for kept, row in zip(sums, rows, strict=True):
                builder.store(_more(builder, _load(builder, row, at), other, builder.load(kept)), kept)
        for k, kept in enumerate(sums):
            where = builder.gep(c, [builder.add(first, _whole(k))])
            builder.store(_total(builder, builder.load(kept)), where)

    _in_groups(builder, args, write)
    _store(builder, ZEROS, c, count)


def _add_rows(builder, args):
    width, b, c = args[4:]

    def write(builder, args, rows, first):
        factors = _factors(builder, b, first, len(rows))
        with _blocks(builder, width) as loop:
            at = builder.mul(loop.index, _whole(LANES))
            total = _load(builder, c, at)
            for factor, row in zip(factors, rows, strict=True):
                total = _more(builder, _load(builder, row, at), factor, total)
            _store(builder, total, c, at)

    _in_groups(builder, args, write)


def _combine(builder, args):
    width, c = args[4], args[6]
    with _blocks(builder, width) as loop:
        _store(builder, ZEROS, c, builder.mul(loop.index, _whole(LANES)))
    _add_rows(builder, args)


def _add_outer(builder, args):
    width, b, c = args[4:]

    def write(builder, args, rows, first):
        factors = _factors(builder, b, first, len(rows))
        with _blocks(builder, width) as loop:
            at = builder.mul(loop.index, _whole(LANES))
            other = _load(builder, c, at)
            for factor, row in zip(factors, rows, strict=True):
                _store(builder, _more(builder, other, factor, _load(builder, row, at)), row, at)

    _in_groups(builder, args, write)


def _function(module, name, write):
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


def _called(write, A, rows, b, c):
    """Signature and call of such a function, for arrays that lie in memory as it wants them."""
    for array, ndim, dtype in (
        (A, 2, types.float64),
        (rows, 1, types.int64),
        (b, 1, A.dtype),
        (c, 1, A.dtype),
    ):
        _must_be(array, ndim, dtype)

    def generate(context, builder, signature, args):
        A, rows, count, width, b, c = args
        kinds = signature.args
        table = context.make_array(kinds[0])(context, builder, A)
        length = cgutils.unpack_tuple(builder, table.shape)[1]
        rows, b, c = (
            context.make_array(kinds[k])(context, builder, array).data
            for k, array in ((1, rows), (4, b), (5, c))
        )
        function = _function(builder.module, f"markone{write.__name__}", write)
        builder.call(function, [table.data, length, rows, count, width, b, c])
        return context.get_dummy_value()

    return types.void(A, rows, types.intp, types.intp, b, c), generate


def _must_be(array, ndim, dtype):
    if not (isinstance(array, types.Array) and (array.ndim, array.layout) == (ndim, "C")):
        raise TypingError("Numbers are neighbours in C-contiguous arrays only.")
    if array.dtype != dtype:
        raise TypingError(f"An array of {dtype} is needed, not of {array.dtype}.")


@intrinsic
def products(typing, A, rows, count, width, b, c):
    """c[i] = A[rows[i]] . b for i < count, and eight zeros behind."""
    return _called(_products, A, rows, b, c)


@intrinsic
def combine(typing, A, rows, count, width, b, c):
    """c = sum over i < count of b[i] A[rows[i]]."""
    return _called(_combine, A, rows, b, c)


@intrinsic
def add_rows(typing, A, rows, count, width, b, c):
    """c += sum over i < count of b[i] A[rows[i]]."""
    return _called(_add_rows, A, rows, b, c)


@intrinsic
def add_outer(typing, A, rows, count, width, b, c):
    """A[rows[i]] += b[i] c for i < count."""
    return _called(_add_outer, A, rows, b, c)


@intrinsic
def product(typing, a, b, width):
    """a . b; inlined."""
    _must_be(a, 1, types.float64)
    _must_be(b, 1, types.float64)

    def generate(context, builder, signature, args):
        a, b = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 1))
        kept = cgutils.alloca_once(builder, VECTOR)
        builder.store(ZEROS, kept)
        with _blocks(builder, args[2]) as loop:
            at = builder.mul(loop.index, _whole(LANES))
            found = _more(builder, _load(builder, a, at), _load(builder, b, at), builder.load(kept))
            builder.store(found, kept)
        return _total(builder, builder.load(kept))

    return types.float64(a, b, types.intp), generate


def _of_vectors(a, b, write):
    """Signature and instructions of b = write(factor, a, b)."""
    _must_be(a, 1, types.float64)
    _must_be(b, 1, types.float64)

    def generate(context, builder, signature, args):
        a, b = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (1, 2))
        factor = _alike(builder, args[0])
        with _blocks(builder, args[3]) as loop:
            at = builder.mul(loop.index, _whole(LANES))
            _store(builder, write(builder, factor, _load(builder, a, at), _load(builder, b, at)), b, at)
        return context.get_dummy_value()

    return types.void(types.float64, a, b, types.intp), generate


@intrinsic
def add(typing, factor, a, b, width):
    """b += factor a; inlined."""
    return _of_vectors(a, b, lambda builder, factor, a, b: _more(builder, a, factor, b))


@intrinsic
def scale(typing, factor, a, b, width):
    """b = factor a; inlined."""
    return _of_vectors(a, b, lambda builder, factor, a, b: builder.fmul(a, factor))
