"""What experiments on real data share: the sets, folds as repeats, students and their scores."""
