"""The numbered figures of the notes."""
