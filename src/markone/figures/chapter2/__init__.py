"""The figures of chapter 2 of the notes: regression."""
