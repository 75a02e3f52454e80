"""One example at a time, each seen once: learning curves and drifting teachers."""
