"""Three tables of Dobson's textbook, each small enough to print: nine counts, a trial, and poisoned beetles."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Nine counts at three values of x.
X = np.array([-1.0, -1, 0, 0, 0, 0, 1, 1, 1])
COUNTS = np.array([2.0, 3, 6, 7, 8, 9, 10, 12, 15])

# Beetles (Bliss 1935) after five hours in carbon disulphide: log10 of its concentration in mg/l, beetles, killed.
DOSE = np.array([1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839])
EXPOSED = np.array([59.0, 60, 62, 56, 63, 59, 62, 60])
KILLED = np.array([6.0, 13, 18, 28, 52, 53, 61, 60])

# Patients of a trial by treatment (rows) and outcome (columns).
TRIAL = np.array([[18.0, 17, 15], [20, 10, 20], [25, 13, 12]])


def with_constant(x: Array) -> Array:
    """Rows (1, x_i), shape (m, 2)."""
    return np.column_stack([np.ones_like(x), x])


def beetles() -> tuple[Array, Array]:
    """One row (1, dose) for each beetle, shape (481, 2), and whether it was killed, 1 or 0, shape (481,)."""
    killed = [np.arange(n) < k for n, k in zip(EXPOSED, KILLED, strict=True)]
    return with_constant(np.repeat(DOSE, EXPOSED.astype(int))), np.concatenate(killed).astype(float)


def cells_of_trial() -> tuple[Array, Array]:
    """The trial cell by cell: indicators of outcomes 2, 3 and treatments 2, 3, shape (9, 4), and the counts."""
    treatment, outcome = np.indices(TRIAL.shape).reshape(2, -1)
    features = np.column_stack([outcome == 1, outcome == 2, treatment == 1, treatment == 2])
    return features.astype(float), TRIAL.ravel()
