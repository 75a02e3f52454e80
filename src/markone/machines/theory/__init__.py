"""Theory of committee and parity machines."""
