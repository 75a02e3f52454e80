"""How good answers are: confusion, accuracy and what it hides   (section 6.3)."""
