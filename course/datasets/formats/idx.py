"""Images and labels in the IDX format of MNIST."""

import gzip
import struct

import numpy as np
from numpy.typing import NDArray

from course.datasets.dataset import Column, Table
from course.errors import DataError


def read(files: dict[str, bytes]) -> Table:
    """The files `train-images`, `train-labels`, `test-images` and `test-labels`, each compressed by gzip."""
    arrays = {name: parse(gzip.decompress(content)) for name, content in files.items()}
    images = np.concatenate([arrays["train-images"], arrays["test-images"]])
    labels = np.concatenate([arrays["train-labels"], arrays["test-labels"]]).astype(np.intp)
    digits = tuple(str(digit) for digit in range(10))
    X = images.reshape(len(images), -1)
    pixels = tuple(Column(f"pixel{n}", "pixels") for n in range(X.shape[1]))
    return Table(X, labels, pixels, Column("digit", "discrete", digits), len(arrays["train-labels"]))


def parse(content: bytes) -> NDArray[np.uint8]:
    """An array of bytes: two zeros, the type 8, the number of dimensions, the sizes, the bytes."""
    zero, kind, dimensions = struct.unpack(">HBB", content[:4])
    if zero or kind != 8:
        raise DataError(f"not an IDX file of bytes: it starts with {content[:4]!r}")
    start = 4 + 4 * dimensions
    shape = struct.unpack(f">{dimensions}I", content[4:start])
    if len(content) - start != np.prod(shape):
        raise DataError(f"an IDX file of shape {shape} with {len(content) - start} bytes")
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape)
