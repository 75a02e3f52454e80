"""What experiments on real data share: the sets, folds as repeats, students of the digits and their scores."""
