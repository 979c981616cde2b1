"""Smoothing: the evidence of alpha, how three judges see it, and which words and classes feel it."""
