"""Lecture A: probabilistic classifiers (CS247, UCLA, 2020). Its formulas have no numbers: ours run in its order."""
