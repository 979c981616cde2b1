"""From-scratch probabilistic classifiers, with the losses, solvers, features and measures they need."""

__version__ = "0.1.0"
