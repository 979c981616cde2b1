"""Smoothing as a prior: the evidence of alpha, what held-out data say of it, and how often intervals hold the truth."""
