"""What a fit has to say: for a page, a terminal, a machine."""
