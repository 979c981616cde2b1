"""Naive Bayes on 20 Newsgroups."""
