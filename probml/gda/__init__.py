"""Gaussian discriminant analysis: each class a multivariate normal distribution."""

from probml.gda.gda import GDA

__all__ = ["GDA"]
