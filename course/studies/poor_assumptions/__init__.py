"""Experiments on what naive Bayes assumes about text, what repairs it, and what it does to the posteriors."""
