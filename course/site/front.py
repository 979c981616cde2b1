"""The front page."""

from pathlib import Path

from course.outline import notes


def page(root: Path, names: list[str]) -> str:
    """Front page and tables of contents."""
    parts: dict[str, list[str]] = {}
    for name in names:
        parts.setdefault(notes()[name].part if name in notes() else "Start here", []).append(name)
    trees = [_tree(part, [f"notes/{name}" for name in of_part]) for part, of_part in parts.items()]
    trees += [
        _tree("Ledgers", ["ledgers/equations", "ledgers/published-numbers"]),
        _tree("Reference", ["data", "api/index", "benchmarks"]),
    ]
    return "\n\n".join(["# probml", "Executable lecture notes on probabilistic classifiers.", *trees]) + "\n"


def _tree(caption: str, entries: list[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```"])
