"""Exact learning curves of a student and a world of one's own, N -> infinity; `markone.theory` exports them."""
