"""The figures of chapter 1 of the notes: from neurons to networks."""
