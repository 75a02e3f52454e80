"""What the prototype classifiers share: reading data, first prototypes, descent of a cost, on-line passes."""
