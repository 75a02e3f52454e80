"""How results are shown: the shell that every page shares."""
