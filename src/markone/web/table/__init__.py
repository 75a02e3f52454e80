"""Your table: what a person drops is kept, looked at, and given to `markone fit` in a process of its own."""
