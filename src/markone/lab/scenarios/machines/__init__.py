"""Committee and parity machines."""
