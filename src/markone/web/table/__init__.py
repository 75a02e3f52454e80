"""Uploaded tables: storage, preview, and `markone fit` in a separate process."""
