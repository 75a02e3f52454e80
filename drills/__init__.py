"""What must not break, tried for real: `make drill` prints one table. Every row should say N of N."""
