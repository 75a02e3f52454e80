"""The loops of the students once more, writing down every step: used only where `record` is set.

The fast loops stay as they are. A recording loop does the same operations in the same order on the same
numbers, so that it ends in the same weights; tests hold both together, bit by bit.
"""
