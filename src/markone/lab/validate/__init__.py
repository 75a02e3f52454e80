"""All that is wrong with a declaration, said at once and in the file's own words."""
