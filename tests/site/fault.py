"""What is found wrong with a page."""

from typing import NamedTuple


class Fault(NamedTuple):
    """page : its path in the site; kind : which check; place : where on the page, and what stands there."""

    page: str
    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.page}: {self.kind}: {self.place}"


def listed(faults: list[Fault]) -> str:
    """All of them, a line each, as the message of a failed test."""
    return "\n".join(["", *map(str, faults)])
