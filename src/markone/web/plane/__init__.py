"""Two inputs and two classes: the examples, and students that learn them step by step."""
