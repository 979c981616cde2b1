"""Gaussian naive Bayes on Howell's census: child or adult, from height and weight."""
