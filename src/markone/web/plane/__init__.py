"""Examples with two inputs and two classes, and students trained on them step by step."""
