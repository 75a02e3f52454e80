"""The numbered figures of the notes, and figures of the reports by name.

One short script per figure: `NUMBER`, `TITLE`, `SIZE` (width, height/width), `SHOWS` (promised by the
caption) and `draw(figure)`, with public functions only; or several in `FIGURES`. Files are found by name.
"""

from markone.figures.gallery import Figure, draw, find_figure, list_figures

__all__ = ["Figure", "draw", "find_figure", "list_figures"]
