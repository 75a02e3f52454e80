"""The plane as a widget: its points come back, and its page is complete."""

import numpy as np

from markone import show

X, y = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]]), np.array(["b", "a", "b"])
picture = show.plane(X, y, students=("adatron",))
assert (picture.X == X).all()
assert (picture.y == y).all()
assert "markoneExport" in picture.page
print("A widget with a page of", len(picture.page), "characters")
