"""What is asked of the file of a picture, and parts of pictures."""

import io

from PIL import Image

WHOLE = (0, 0, 1, 1)


def pixels(png: bytes) -> tuple[int, int]:
    """Width and height in pixels of a picture in PNG format, from where the format has them."""
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    return width, height


def part(png: bytes, crop: tuple[float, float, float, float]) -> bytes:
    """The part of a picture from left, top to right, bottom, as shares of its width and height."""
    if crop == WHOLE:
        return png
    picture = Image.open(io.BytesIO(png))
    box = [round(share * side) for share, side in zip(crop, picture.size * 2, strict=True)]
    out = io.BytesIO()
    picture.crop(box).save(out, "PNG", optimize=True)
    return out.getvalue()
