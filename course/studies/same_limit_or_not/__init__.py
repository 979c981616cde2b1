"""Experiments on limits: where classifiers go with infinitely many examples, and what they lose on the way."""
