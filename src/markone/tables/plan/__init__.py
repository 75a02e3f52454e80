"""From a table to inputs and labels: the use of each column is planned once, reported and saved."""
