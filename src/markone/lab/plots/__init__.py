"""Figures from the stored points alone: means with 95 % intervals over lines of theory."""
