"""The files of this package."""

import tomllib
from importlib.resources import files


def read_toml(file: str) -> dict:
    """The content of a TOML file beside this module."""
    return tomllib.loads(files("course.outline").joinpath(file).read_text(encoding="utf-8"))
