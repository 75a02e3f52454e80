"""Scheduler: from a declaration and its finished blocks to the remaining tasks."""
