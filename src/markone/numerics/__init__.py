"""Mathematics that belongs to no model, random streams, and compilation."""

from markone.numerics import cpu

# Before numpy and numba are imported, since they choose their loops at import.
cpu.apply_portable_settings()
