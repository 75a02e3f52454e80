"""What one request may use: processor time and memory, held by the process that computes it."""

# Seconds of processor time of one request; bytes of one process.
CPU_BUDGET = 120.0
MEMORY_BUDGET = 3 * 2**30


def limit_memory() -> None:
    """From here on this process gets a MemoryError rather than the whole machine."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BUDGET, MEMORY_BUDGET))


def limit_time(seconds: float) -> None:
    """The kernel ends this process after so many seconds of its own processor time."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
