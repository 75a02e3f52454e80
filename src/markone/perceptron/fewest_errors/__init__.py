"""The fewest errors possible: bounds on the minimum of H_err (4.1), with a proof."""
