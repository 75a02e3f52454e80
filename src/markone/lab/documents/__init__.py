"""The documents behind the package, item by item: their figures, tables and sentences beside our results."""
