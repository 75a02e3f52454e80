"""What committee and parity machines must show."""
