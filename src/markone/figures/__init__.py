"""Every numbered figure of the notes by its number, and those of the reports by name.

One short script a figure: `NUMBER`, `TITLE`, `SIZE` (width to height) and `draw(figure)`, with public calls
only. A file in one of the folders is found by itself.
"""

from markone.figures.gallery import Figure, catalogue, draw, find

__all__ = ["Figure", "catalogue", "draw", "find"]
