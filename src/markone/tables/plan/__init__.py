"""From a table to inputs and labels: what each column is taken for is planned once, said, and kept."""
