"""One student and one table: what `markone fit` and `markone predict` do, said in plain sentences."""
