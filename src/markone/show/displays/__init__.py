"""Displays in scikit-learn's manner: from_estimator(...), plot(ax=...), then ax_ and figure_."""
