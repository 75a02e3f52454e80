"""Lines of theory that no scenario lists: declared in a file, from the catalogue, of a student's own cost."""
