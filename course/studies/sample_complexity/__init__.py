"""Experiments on sample complexity: how many examples a classifier needs as the number of features grows."""
