"""Gaussian discriminant analysis: each class a multivariate normal distribution.

Where the formulas are: `gda.py` has the estimates, Sigma = S / N among them, in `GDA._maximum_likelihood`, and the
weights of the linear posterior, in `GDA._estimate_linear`. The scatter S is added up by `add_block` of
`probml/generative/gaussian.py`; shrinkage, Sigma^-1 = R R^T and Fisher's directions are in `covariance.py`.
"""

from probml.gda.gda import GDA

__all__ = ["GDA"]
