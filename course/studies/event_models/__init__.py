"""Experiments on the two event models of naive Bayes: counts, presence, absence, and the number of words."""
