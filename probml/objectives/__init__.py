"""Objectives: what models minimise, ready for any solver."""

from probml.objectives.base import Cost, Objective
from probml.objectives.linear import LinearObjective
from probml.objectives.softmax import SoftmaxObjective

__all__ = ["Cost", "LinearObjective", "Objective", "SoftmaxObjective"]
