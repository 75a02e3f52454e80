"""Reports: declaration, results, comparison with theory and provenance on one page."""
