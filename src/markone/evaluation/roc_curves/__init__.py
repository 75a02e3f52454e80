"""Receiver operating characteristics: rates as the threshold of a discriminant varies   (6.8-6.11)."""
