"""Cross-validation: splits, tables of fold scores, nested choice of parameters   (section 6.2)."""
