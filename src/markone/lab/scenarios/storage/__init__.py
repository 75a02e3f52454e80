"""Scenario: storage of random labels by a perceptron."""
