"""Experiments and figures on solvers that look at one example at a time: clouds, rates, momentum, Adam, SAGA."""
