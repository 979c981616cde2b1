"""Solvers side by side, for all notes that compare them: problems, counted work, orders of convergence, exponents."""
