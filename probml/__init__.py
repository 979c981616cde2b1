"""From-scratch probabilistic classifiers, and the machinery that keeps the notes about them reproducible."""

__version__ = "0.1.0"
