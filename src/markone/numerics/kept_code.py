"""Load cached code without initialising the compiler, which numba does before it looks into the cache.

That takes a quarter of a second in each new process, and is not needed if all code is cached: machine code
needs only the functions it calls. If something must be compiled after all, numba initialises itself then.
"""

from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


class KeptCode(FunctionCache):
    """Numba's cache of a function, loaded with minimal initialisation."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # The two places that give names to C functions when they are first used: memory, and hashes.
        rtsys.initialize(target_context)
        import numba.cpython.hashing  # noqa: F401  # names what compiled hashes call

        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # numba has none
