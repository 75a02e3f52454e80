"""From numbers to figures, verdicts and pages."""
