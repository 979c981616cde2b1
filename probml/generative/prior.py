"""The class prior: estimated, uniform or given."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.errors import NoEstimateError


def class_prior(class_count: NDArray[np.float64], given: ArrayLike | None, name: str) -> NDArray[np.float64]:
    """pi_j = N_j / N, or 1 / K if `given` is "uniform", or what is given. Shape (K,). `name` is the parameter's."""
    K = len(class_count)
    if given is None:
        if not class_count.any():
            raise NoEstimateError("no class has any examples, or none with a weight above 0: give some")
        return class_count / class_count.sum()
    if isinstance(given, str):
        if given != "uniform":
            raise ValueError(f'{name} must be None, "uniform" or {K} probabilities, received {given!r}')
        return np.full(K, 1 / K)
    prior = np.asarray(given, dtype=np.float64)
    if prior.shape != (K,):
        raise ValueError(f"{name} has shape {prior.shape}, but y has {K} classes")
    if not (prior >= 0).all() or not np.isclose(prior.sum(), 1):
        raise ValueError(f"{name} must be probabilities that sum to one, received {given!r}")
    return prior / prior.sum()


def log_or_minus_infinity(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """log p, with log 0 = -inf and no warning: a probability of zero is meant here."""
    with np.errstate(divide="ignore"):
        return np.log(p)
