"""Code of functions that only compiled code calls: typed and translated once, optimised where it is called.

Numba optimises every function by itself and makes machine code of it, and then again inside each caller. A
function that Python never calls needs only the second. This is a pipeline of numba's (`pipeline_class`) whose
library of code is linked into its callers as it is.
"""

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes


class NoEnvironment:
    """Code that never runs by itself needs no environment for Python constants."""

    def __init__(self, codegen):
        self._codegen = codegen

    def set_env(self, name, environment):
        pass

    def __getattr__(self, name):
        return getattr(self._codegen, name)


class LinkedLibrary(JITCodeLibrary):
    """A library that is finished when everything it calls is in it."""

    @property
    def codegen(self):
        return NoEnvironment(self._codegen)

    def finalize(self):
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalized = True

    def get_pointer_to_function(self, name):
        return 0


@register_pass(mutates_CFG=False, analysis_only=True)
class NoWrapper(AnalysisPass):
    """Set after the types are known: numba recompiles its own functions for callers with other flags."""

    _name = "markone_no_wrapper"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        state.flags.no_cpython_wrapper = True
        return False


class Linked(CompilerBase):
    """Numba's own pipeline into such a library."""

    def define_pipelines(self):
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.add_pass_after(NoWrapper, AnnotateTypes)
        made.finalize()
        return [made]

    def compile_extra(self, func):
        library = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


def compile_linked(function, options):
    """Compile for compiled callers; calls from Python, as in tests, use a plain twin."""
    made = numba.njit(pipeline_class=Linked, **options)(function)
    twin = numba.njit(**options)(function)

    def keep(result):
        # Not among those that Python can call: there is no machine code.
        made.overloads[tuple(result.signature.args)] = result

    made.add_overload = keep
    made._compile_for_args = twin._compile_for_args
    return made
