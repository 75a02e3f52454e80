"""Attack on everything called proven: random and degenerate sets against exact oracles (`make attack`)."""
