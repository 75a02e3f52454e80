"""SQLite: what was asked, what came out, by which code."""
