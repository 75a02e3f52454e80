"""A perceptron learns from a teacher, or from coin tosses: error, stability, version space."""
