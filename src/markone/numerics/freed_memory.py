"""Return freed memory to the operating system."""

import ctypes


def give_back() -> None:
    """Call glibc's malloc_trim, since glibc keeps freed memory; no operation on other systems."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return
    trim(0)
