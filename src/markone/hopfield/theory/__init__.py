"""What a Hopfield network must show."""
