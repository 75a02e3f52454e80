"""Runs of a declaration: tasks in workers, the run itself, estimates of its time, cluster scripts."""
