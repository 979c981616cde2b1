"""Experiments and figures on solvers that look at all examples: a bowl, parabolas, coordinates, orders, costs."""
