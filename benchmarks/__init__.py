"""Comparisons of markone with other packages in the same run. Not imported by the package."""
