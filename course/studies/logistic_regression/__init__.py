"""Experiments and figures on logistic regression: the adults of Howell's census, six examples, eight examples."""
