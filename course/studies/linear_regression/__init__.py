"""Least squares, its rounding errors, and the LMS rule: what the note on linear regression calls."""
