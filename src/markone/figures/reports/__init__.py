"""Figures of the student reports: stability, storage, digits."""
