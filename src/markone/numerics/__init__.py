"""Mathematics that belongs to no model, random streams, and how compiled code is made."""

from markone.numerics import cpu

# Before anything of ours imports numpy or numba, which choose their loops when they are imported.
cpu.obey()
