"""Return freed memory to the operating system."""

import ctypes


def release_freed_memory() -> None:
    """Call glibc's malloc_trim, since glibc keeps freed memory; no operation on other systems."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return
    trim(0)
