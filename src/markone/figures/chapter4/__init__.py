"""The figures of chapter 4 of the notes: beyond the perceptron."""
