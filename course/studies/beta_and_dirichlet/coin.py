"""A hundred tosses of a bent coin, made up once: 67 heads."""

import numpy as np
from numpy.typing import NDArray

TOSSES = "HHTHTHHHTH HTHHTHHTHH THTHHHTHHT HHTHHHTHTH HHHTHTHHHT HHTTHHHHTH HTHHHTHHTH HTHHHTTHHH TTHHHHTHHT HHTHHTTHHT"
PRIORS = {"Beta(1, 1)": (1.0, 1.0), "Beta(10, 10)": (10.0, 10.0)}


def tosses() -> NDArray[np.int64]:
    """1 for heads and 0 for tails, in their order. Shape (100,)."""
    return np.array([int(letter == "H") for letter in TOSSES.replace(" ", "")])
