"""A spam filter for short messages: words and their properties, words never seen, thresholds, learning on the way."""
