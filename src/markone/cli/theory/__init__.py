"""`markone theory`: curves of the catalogue, and solutions of the theory engine."""
