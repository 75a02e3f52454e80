"""Predictions from scores: calibration, decision thresholds, rejection; checks against the training rows."""
