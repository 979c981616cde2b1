"""Experiments on Lagrange duality: a gap, the multinomial estimate from its dual, the widest margin both ways."""
