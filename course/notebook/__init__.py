"""What a notebook needs to show and record its results, and the runner that executes notebooks reproducibly."""

from course.notebook.record import Record
from course.notebook.show import table

__all__ = ["Record", "table"]
