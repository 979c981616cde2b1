"""Experiments on normal classes: integrals on grids, derivatives with respect to matrices, ellipses to draw."""
