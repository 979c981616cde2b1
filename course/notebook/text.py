"""Read the texts that people write, YAML above all, with errors of one line that say what is wrong with which.

nbformat is not needed for it, which takes as long to import as many a stage to run.
"""

from pathlib import Path

import yaml

from probml.errors import ProbmlError


def read_yaml(path: Path, error: type[ProbmlError]) -> object:
    """The content of a YAML file. `error` is raised where it cannot be read."""
    try:
        return yaml.safe_load(read_text(path, error))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        what = f"{where}{problem.problem}"
    except (yaml.YAMLError, ValueError) as problem:  # a character or a date that YAML does not have
        what = one_line(str(problem))
    except RecursionError:
        what = "it is nested too deeply"
    raise error(f"{path} is not valid YAML ({what}). Correct it, or bring it back with git checkout.")


def read_text(path: Path, error: type[ProbmlError]) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise error(
            f"{path} is not UTF-8 (byte {problem.start}: {problem.reason}). Save it as UTF-8, or bring it back with "
            "git checkout."
        ) from None


def one_line(message: str, length: int = 200) -> str:
    """A message without its line breaks, and cut where it is long."""
    line = " ".join(message.split())
    return line if len(line) <= length else f"{line[: length - 3]}..."
