"""Errors in printed formulas: which question finds each of them, and what they do to an answer."""
