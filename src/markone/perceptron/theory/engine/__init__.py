"""Exact learning curves of a student and a world of one's own, exported by `markone.theory`."""
