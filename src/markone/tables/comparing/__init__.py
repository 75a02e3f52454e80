"""Several models on the same folds: which differences are real, and what each costs."""
