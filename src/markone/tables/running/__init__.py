"""Execution of the fits of one table, on one core or many, by the lab's pool; resumable."""
