"""The figures of chapter 6 of the notes: evaluation and validation."""
