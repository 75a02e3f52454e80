"""Inspection of fitted prototype classifiers: units, relevances, borders, certainty, linear form."""
