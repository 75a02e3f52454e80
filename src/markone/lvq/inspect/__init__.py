"""What a fitted prototype classifier says of itself: units, relevances, borders, certainty, a linear form."""
