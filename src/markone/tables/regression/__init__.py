"""Regression (chapter 2): errors and prediction intervals, both checked on left-out rows."""
