"""Minka's comparison of optimisers, redone."""
