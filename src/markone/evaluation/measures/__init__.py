"""Confusion matrices and measures of classification, also for unbalanced classes   (section 6.3)."""
