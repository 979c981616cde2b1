"""Naive Bayes, the support vector machine and NBSVM on texts: Wang and Manning's table redone."""
