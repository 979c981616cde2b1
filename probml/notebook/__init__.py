"""What a notebook needs to show and record its results, and the runner that executes notebooks reproducibly."""

from probml.notebook.record import Record
from probml.notebook.show import table

__all__ = ["Record", "table"]
