"""Experiments on normal classes: a census, compromises between covariances, derivatives by matrices, integrals."""
