"""Receiver operating characteristics: the threshold of a discriminant moved   (6.8-6.11)."""
