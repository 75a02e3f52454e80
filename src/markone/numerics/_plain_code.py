"""Code whose long loops are written as vectors already, optimised once instead of three times.

Numba optimises each function, then lightly and then fully the whole, so that loops become vectors whatever
they looked like. Code with loops of vectors (`_vectors`), or to be rounded as written, needs none of that.
"""

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# LLVM's optimisation level: 3 took longer, and the code was no faster.
LEVEL = 2


class PlainLibrary(JITCodeLibrary):
    """A library that is optimised when it is finished."""

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        passes, builder = self._codegen._module_pass_manager(opt=LEVEL, slp_vectorize=False)
        passes.run(self._final_module, builder)


class Plain(Compiler):
    """Numba's own pipeline into such a library."""

    def compile_extra(self, func):
        library = PlainLibrary(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)
