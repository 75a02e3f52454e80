"""What one task does: one file each."""
