"""Drawings that several scenarios share."""
