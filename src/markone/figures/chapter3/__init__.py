"""The figures of chapter 3 of the notes: the perceptron."""
