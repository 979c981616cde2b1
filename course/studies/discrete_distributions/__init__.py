"""Experiments on counts: why the multinomial coefficient, and what intervals for a probability are worth."""
