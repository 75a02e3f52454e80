"""Real tables and handwritten digits: a repeat is a fold."""
