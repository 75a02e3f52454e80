"""The numbered figures of the notes, and figures of the reports by name.

One short script per figure: `NUMBER`, `TITLE`, `SIZE` (width, height/width) and `draw(figure)`, with public
functions only. Files in the folders are found automatically.
"""

from markone.figures.gallery import Figure, catalogue, draw, find

__all__ = ["Figure", "catalogue", "draw", "find"]
