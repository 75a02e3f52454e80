"""
Any figure of the notes
=======================

``markone figure 3.4 --out fig.svg`` draws it in a shell; this is the same from Python.
"""

import matplotlib.pyplot as plt

from markone import figures

entry = figures.find_figure("3.4")
share, height = entry.size
entry.draw(plt.figure(figsize=(8 * share, 8 * share * height), layout="constrained"))

# %%
# The claim: every chapter has its figures.
chapters = {one.number.split(".")[0] for one in figures.list_figures()}
assert set("123456") <= chapters
