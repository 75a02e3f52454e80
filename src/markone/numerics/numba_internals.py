"""All uses of numba's internals, each with a plain twin.

They are used for the tested versions of numba only. With others, and with NUMBA_DISABLE_JIT=1, the twins are
used: numba's own cache of compiled code, and no events of compilations.
"""

import gc
import hashlib
import pickle
import platform
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import config, types

from markone.numerics.files import write_atomically

numba_config: Any = config
TESTED = (0, 61), (0, 70)
AVAILABLE = TESTED[0] <= numba.version_info.short < TESTED[1] and not numba_config.DISABLE_JIT
# Code without reference counts of arrays, which it may use but not make.
NO_ALLOCATION: dict[str, Any] = {"_nrt": False} if AVAILABLE else {}
CHECKSUM = 32

# Functions that only compiled code calls are typed and translated once and optimised inside their callers.
# Numba would also optimise each alone: the first call of `separability` took 18 s of CPU instead of 12 s.
if AVAILABLE:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import AnalysisPass, register_pass
    from numba.core.typed_passes import AnnotateTypes

    class _CodegenWithoutEnvironment:
        """Code generator that stores no constants for Python: the function is never called from there."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def set_env(self, name: str, environment: Any) -> None:
            """Store nothing."""

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

    class _LinkedLibrary(JITCodeLibrary):
        """Library that is complete as soon as everything it calls is linked in, not optimised."""

        @property
        def codegen(self) -> Any:
            return _CodegenWithoutEnvironment(self._codegen)

        def finalize(self) -> None:
            self._raise_if_finalized()
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._final_module.verify()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    @register_pass(mutates_CFG=False, analysis_only=True)
    class _NoWrapper(AnalysisPass):
        """Omit the wrapper for Python, after typing: other flags would recompile numba's own functions."""

        _name = "markone_no_wrapper"

        def __init__(self) -> None:  # abstract in numba
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            state.flags.no_cpython_wrapper = True
            return False

    class _LinkedPipeline(CompilerBase):
        """Numba's own pipeline, into a `_LinkedLibrary`."""

        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.add_pass_after(_NoWrapper, AnnotateTypes)
            passes.finalize()
            return [passes]

        def compile_extra(self, func: Any) -> Any:
            library = _LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
            library.enable_object_caching()
            self.state.library = library
            return super().compile_extra(func)


@cache
def _source_hash(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class CodeCache:
    """Compiled code of one function on disk, one file with a checksum for each signature.

    A file that cannot be read, or is damaged, counts as absent: the code is compiled and the file replaced.
    Unlike numba's own cache it does not initialise the compiler, a quarter of a second in each process.
    """

    warned = False

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        name = f"{function.__module__}.{function.__qualname__}"
        # The content and not the time of the file: copies and clones of the sources share compiled code.
        source = _source_hash(function.__code__.co_filename)
        self.identity = f"{name} {source} {function.__code__.co_firstlineno}"
        self.prefix = folder / name
        self.cache_path = str(folder)

    def find_file(self, signature: Any, codegen: Any) -> Path:
        key = f"{self.identity} {signature} {codegen.magic_tuple()}"
        return Path(f"{self.prefix}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc")

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature, or None."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        try:
            content = self.find_file(signature, target_context.codegen()).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[CHECKSUM:]).digest() != content[:CHECKSUM]:
            return None
        # Both register C functions that compiled code calls: memory management and hashes.
        rtsys.initialize(target_context)
        import numba.cpython.hashing  # noqa: F401  # registers the hashes

        try:
            return CompileResult._rebuild(target_context, *pickle.loads(content[CHECKSUM:]))
        except Exception:  # written by another build of the same version
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the compiled code; a failure only means that the next process compiles again."""
        from numba.core.serialize import dumps

        if result.lifted or result.library.has_dynamic_globals:
            return
        data = dumps(result._reduce())
        try:
            file = self.find_file(signature, result.target_context.codegen())
            write_atomically(file, hashlib.sha256(data).digest() + data)
        except OSError as error:
            if not CodeCache.warned:
                CodeCache.warned = True
                warnings.warn(
                    f"Compiled code cannot be stored in {self.cache_path} ({error.strerror}): each process "
                    "compiles it again.",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def enable(self) -> None:
        """Part of the interface of numba's caches."""

    disable = flush = enable


def compile_cached(function: Callable[..., Any], folder: Path | None, options: dict[str, Any]) -> Any:
    """numba.njit with a cache in the folder; without a cache if that is None."""
    jit: Any = numba.njit
    if folder is None or numba_config.DISABLE_JIT:
        return jit(**options)(function)
    if AVAILABLE:
        compiled: Any = jit(no_cfunc_wrapper=True, **options)(function)
        compiled._cache = CodeCache(function, folder)
        return compiled
    before = numba_config.CACHE_DIR
    # Numba reads the setting while it decorates; it is restored at once, for other packages.
    numba_config.CACHE_DIR = str(folder)
    try:
        return jit(cache=True, **options)(function)
    finally:
        numba_config.CACHE_DIR = before


def compile_linked(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Compile for compiled callers; called from Python, as in tests, it is a plain numba function."""
    jit: Any = numba.njit
    twin = jit(**options)(function)
    if not AVAILABLE:
        return twin
    linked = jit(pipeline_class=_LinkedPipeline, no_cfunc_wrapper=True, **options)(function)

    def keep_for_callers(result: Any) -> None:
        # Not among the overloads that Python can call: there is no machine code.
        linked.overloads[tuple(result.signature.args)] = result

    linked.add_overload = keep_for_callers
    linked._compile_for_args = twin._compile_for_args
    return linked


def ignore_literals(compiled: Any) -> Any:
    """Compile for types only: numba would recompile a function for each integer constant in a call."""
    if AVAILABLE:
        resolve = compiled.get_call_template

        def resolve_types(args: Any, kws: Any) -> Any:
            plain = {name: types.unliteral(kind) for name, kind in kws.items()}
            return resolve([types.unliteral(kind) for kind in args], plain)

        compiled.get_call_template = resolve_types
    return compiled


class CompileListener:
    """Pauses the garbage collector while code of one package compiles, and reports the first compilation.

    The compiler creates a million objects that live until it is done; searching them for unreachable cycles
    takes a quarter of the time. Numba compiles in one thread at a time.
    """

    def __init__(self, package: str, report: Callable[[], None]) -> None:
        self.package, self.report = package, report
        self.depth, self.paused, self.reported = 0, False, False

    def on_start(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(self.package):
            if not self.reported:
                self.reported = True
                self.report()
            if self.depth == 0 and gc.isenabled():
                self.paused = True
                gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.paused:
            self.paused = False
            if not gc.get_freeze_count():
                # Moves all objects to the oldest generation, which is rarely searched.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def listen_to_compilations(package: str, report: Callable[[], None]) -> None:
    """Register a `CompileListener` with numba."""
    if AVAILABLE:
        from numba.core import event

        kind = type("Listener", (CompileListener, event.Listener), {})
        event.register("numba:compile", kind(package, report))


@contextmanager
def record_compilations() -> Iterator[list[Any]]:
    """Yield a list that receives an entry for each event of a compilation."""
    if AVAILABLE:
        from numba.core import event

        with event.install_recorder("numba:compile") as recorder:
            yield recorder.buffer
    else:
        yield []


def numba_target() -> tuple[str, str]:
    """Name and features of the CPU that numba compiles for."""
    name, features = numba_config.CPU_NAME, numba_config.CPU_FEATURES
    if not AVAILABLE:
        return name or platform.machine(), features or ""
    from numba.core import codegen

    codegen_module: Any = codegen
    return (
        codegen_module.ll.get_host_cpu_name() if name is None else name,
        codegen_module.get_host_cpu_features() if features is None else features,
    )
