"""The classifiers, one file each."""
