"""Experiments on regression: least squares, the LMS rule, exponential families, counts of bicycles."""
