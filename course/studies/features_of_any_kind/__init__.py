"""Naive Bayes beyond words and measurements: categories by hand, a family for each column of a survey, many classes."""
