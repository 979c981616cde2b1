"""Lecture C: generative and discriminative classifiers (Carnegie Mellon University, 2009), slide by slide."""
