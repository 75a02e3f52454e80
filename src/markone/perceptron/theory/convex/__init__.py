"""Students that minimise a convex cost: soft margin, squared hinge, logistic regression."""
