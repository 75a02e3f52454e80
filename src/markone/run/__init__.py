"""Execution of tasks below the lab and the tables: executors, pool, time limits, progress."""
