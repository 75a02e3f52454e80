"""Tables larger than memory: models whose cost is a sum over examples learn from sums over partitions."""
