"""Compare a result with its committed version: identical, equal within tolerance, or different."""

import base64
import io
import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

import numpy as np
from matplotlib.image import imread

RTOL, ATOL = 1e-5, 1e-9  # of the numbers in a text: one unit in the last of six digits
PIXELS = 0.002  # mean absolute difference of the channels of an image, which run from 0 to 1

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
_WHOLE = re.compile(r"[-+]?\d+")


@dataclass(frozen=True)
class Verdict:
    """What was found for one file; `note` says where it differs."""

    status: Literal["identical", "equal", "different", "missing", "new"]
    note: str = ""

    @property
    def good(self) -> bool:
        """Whether the result counts as reproduced."""
        return self.status in ("identical", "equal")


def compare(name: str, committed: bytes | None, fresh: bytes | None) -> Verdict:
    """Compare two versions of the file `name`; None stands for a file that is not there."""
    if fresh is None:
        return Verdict("missing", "committed, but not written by the run")
    if committed is None:
        return Verdict("new", "written by the run, but not committed")
    if committed == fresh:
        return Verdict("identical")
    try:
        if name.endswith(".png"):
            note = _image_difference(committed, fresh)
        elif name.endswith(".ipynb"):
            note = _notebook_difference(committed, fresh)
        else:
            note = _text_difference(committed.decode("utf-8"), fresh.decode("utf-8"))
    except ValueError as error:  # neither UTF-8 nor JSON
        note = f"not readable: {error}"
    return Verdict("different", note) if note else Verdict("equal", "within tolerance")


def _text_difference(committed: str, fresh: str) -> str:
    """The first line in which the words differ, or the numbers by more than the tolerance; "" if there is none."""
    for number, (old, new) in enumerate(zip_longest(committed.splitlines(), fresh.splitlines()), start=1):
        if old is None or new is None or not _same_line(old, new):
            return f"line {number}: {_shortened(old)} became {_shortened(new)}"
    return ""


def _same_line(old: str, new: str) -> bool:
    if old == new:
        return True
    if _NUMBER.sub("#", old) != _NUMBER.sub("#", new):
        return False
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return all(
        a == b if _WHOLE.fullmatch(a) and _WHOLE.fullmatch(b) else np.isclose(float(a), float(b), rtol=RTOL, atol=ATOL)
        for a, b in pairs
    )


def _image_difference(committed: bytes, fresh: bytes) -> str:
    try:
        old, new = imread(io.BytesIO(committed)), imread(io.BytesIO(fresh))
    except (SyntaxError, ValueError, OSError) as error:
        return f"not a readable PNG: {error}"
    if old.shape != new.shape:
        return f"size {old.shape[1]}x{old.shape[0]} became {new.shape[1]}x{new.shape[0]}"
    distance = float(np.abs(old - new).mean())
    return f"mean difference of the pixels {distance:.4f}" if distance > PIXELS else ""


def _notebook_difference(committed: bytes, fresh: bytes) -> str:
    """Images are compared as images, all else as text."""
    (old, old_images), (new, new_images) = _without_images(committed), _without_images(fresh)
    if note := _text_difference(old, new):
        return note
    notes = (_image_difference(a, b) for a, b in zip(old_images, new_images, strict=True) if a != b)
    return next((f"image: {note}" for note in notes if note), "")


def _without_images(content: bytes) -> tuple[str, list[bytes]]:
    notebook, images = json.loads(content), []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                images.append(base64.b64decode(output["data"]["image/png"]))
                output["data"]["image/png"] = "image"
    return json.dumps(notebook, indent=1, ensure_ascii=False), images


def _shortened(line: str | None, length: int = 60) -> str:
    if line is None:
        return "(nothing)"
    line = line.strip()
    return repr(line if len(line) <= length else line[: length - 3] + "...")
