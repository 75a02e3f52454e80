"""From scores to answers: probabilities, a working point, no answer at all; and rows unlike those that
taught."""
