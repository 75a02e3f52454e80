"""Compiled code from disk without the compiler: numba makes ready to compile before it looks whether it must.

That takes a quarter of a second in each new process, and a process whose code is all on disk never needs it:
machine code needs the functions it calls, nothing else. Who compiles after all makes ready then, by itself.
"""

from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


class KeptCode(FunctionCache):
    """What numba keeps of a function, loaded with the least that it needs."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # The two places that give names to C functions when they are first used: memory, and hashes.
        rtsys.initialize(target_context)
        import numba.cpython.hashing  # noqa: F401  # names what compiled hashes call

        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # numba has none
