"""Naive Bayes beyond words: categories by hand, a family for each column, losses on random splits."""
