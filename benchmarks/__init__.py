"""markone and its peers, side by side in one run. Never imported by the package, never in the tests."""
