"""The best classifier of a known distribution, every other one on a few cells, and fitted ones on their way to it."""
