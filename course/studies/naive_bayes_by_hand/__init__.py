"""Naive Bayes by hand."""
