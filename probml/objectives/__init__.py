"""Objectives: what models minimise, ready for any solver.

Where the formulas are: `base.py` has the contract, and counts what is asked; `linear.py` the sum of the losses of one
linear predictor, `softmax.py` that of several. How far θ can be from the minimum is in `gap.py`: all bounds on
F(θ) - min F, of which a solver's certificate has one. `private_columns.py` makes wide sparse problems smaller, with
the same minimum.
"""

from probml.objectives.base import Cost, Objective
from probml.objectives.linear import LinearObjective
from probml.objectives.softmax import SoftmaxObjective

__all__ = ["Cost", "LinearObjective", "Objective", "SoftmaxObjective"]
