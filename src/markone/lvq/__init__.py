"""Nearest prototypes: learning vector quantisation."""
