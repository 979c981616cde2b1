"""What a notebook needs to record its results, and the runner that executes notebooks reproducibly."""

from probml.notebook.record import Record

__all__ = ["Record"]
