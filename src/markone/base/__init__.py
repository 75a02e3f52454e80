"""Code shared by the estimators of all packages."""
