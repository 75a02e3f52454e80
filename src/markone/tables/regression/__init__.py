"""Numbers to be predicted (chapter 2): errors on rows not seen, with bands that are checked on such rows."""
