"""What the estimators of all rooms share."""
