"""The numbered figures of the notes, and figures of the reports by name.

Each is a function of a matplotlib figure, by public calls only, with two decorators: `numbered_figure`
(number, title, size) and `shows` (what the caption promises). Those of the reports are in the table `FIGURES`
of their file.
"""

from markone.figures.diagrams import Figure
from markone.figures.gallery import draw, find_figure, list_figures

__all__ = ["Figure", "draw", "find_figure", "list_figures"]
