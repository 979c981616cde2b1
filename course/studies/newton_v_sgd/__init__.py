"""Experiments on solvers: problems, races by counted work, orders of convergence, the price of an iteration."""
