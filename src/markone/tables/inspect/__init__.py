"""What a validation shows beside its scores: classes, probabilities, columns, rows, ways to treat gaps."""
