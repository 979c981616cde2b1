"""Text for which the prior is right: every class draws its word probabilities from Dirichlet(alpha, ..., alpha)."""

import numpy as np
from numpy.typing import NDArray

from probml.families import Dirichlet


def made_counts(alpha: float, totals: NDArray[np.intp], sides: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Counts of totals[j] tokens of each class j, of words that are `sides` in number. Shape (len(totals), sides)."""
    p = Dirichlet(sides).sample(np.full((len(totals), sides), alpha), rng)
    return np.stack(
        [rng.multinomial(n, row) for n, row in zip(totals, p / p.sum(axis=1, keepdims=True), strict=True)]
    ).astype(float)
