"""Displays following scikit-learn: from_estimator(...), plot(ax=...), attributes ax_ and figure_."""
