"""Tables larger than memory: models whose cost is a sum over examples, fitted by sums over partitions."""
