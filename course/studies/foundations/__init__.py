"""Experiments on the rules of probability and on the best classifier of a known distribution."""
