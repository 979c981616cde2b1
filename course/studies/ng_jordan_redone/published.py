"""The published curves."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

SPLITS = 1000  # over which the paper takes means


@dataclass(frozen=True)
class Panel:
    """A panel of figure 1: mean test errors for each size of the training subset. All arrays have the shape (S,)."""

    title: str
    sizes: NDArray[np.intp]
    nb: NDArray[np.float64]
    lr: NDArray[np.float64]

    def winner(self, place: int) -> str:
        """The classifier with fewer errors at a place among the sizes: "nb" or "lr"."""
        return "nb" if self.nb[place] < self.lr[place] else "lr"


def published() -> dict[str, Panel]:
    """All panels by the name of their task, in the order of the figure."""
    content = tomllib.loads(files(__package__).joinpath("figure-1.toml").read_text(encoding="utf-8"))
    return {
        name: Panel(panel["title"], np.array(panel["m"]), np.array(panel["nb"]), np.array(panel["lr"]))
        for name, panel in content.items()
    }
