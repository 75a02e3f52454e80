"""What learning vector quantisation must show."""
