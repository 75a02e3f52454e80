"""Examples left out: how they are split, what the folds say, and what was chosen by them   (section 6.2)."""
