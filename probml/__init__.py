"""From-scratch probabilistic classifiers, with the losses, solvers, features, measures and data sets they need."""

__version__ = "0.1.0"
