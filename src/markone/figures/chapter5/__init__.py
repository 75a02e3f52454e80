"""The figures of chapter 5 of the notes: prototypes."""
