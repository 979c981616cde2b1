"""Figures as bytes: the same on every run, with the colours that they were drawn in, and none cut off at an edge."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

from course.figures import BLUE, DPI, MAX_PIXELS, figure, png, with_palette

ROOT = Path(__file__).parents[2]
LIGHT = 200  # of 255: the map of the course ends in light grey bands


def colours_of(image):
    return np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)


def stripes(n):
    """n colours, in stripes of 20 by 50 pixels."""
    shades = np.stack([np.arange(n) % 256, np.arange(n) // 256 * 40, np.full(n, 7)], axis=1).astype(np.uint8)
    return np.repeat(np.repeat(shades, 20, axis=0)[:, None], 50, axis=1)


def blend():
    """A square of noise, in which no two neighbours are alike: 4096 colours."""
    shades = np.arange(4096)
    return np.stack([shades % 64 * 4, shades // 64 * 4, np.full(4096, 200)], axis=1).astype(np.uint8).reshape(64, 64, 3)


def on_one_canvas(above, below):
    canvas = np.full((len(above) + len(below), max(above.shape[1], below.shape[1]), 3), 255, dtype=np.uint8)
    canvas[: len(above), : above.shape[1]] = above
    canvas[len(above) :, : below.shape[1]] = below
    return canvas


def test_few_colours_are_kept_exactly():
    pixels = stripes(256)
    image = with_palette(pixels)
    assert image.mode == "P"
    np.testing.assert_array_equal(np.asarray(image.convert("RGB")), pixels)


def test_areas_keep_their_colours_and_edges_share_the_rest():
    pixels = on_one_canvas(stripes(200), blend())
    image = with_palette(pixels)
    found = np.asarray(image.convert("RGB")).astype(int)
    assert image.mode == "P"
    assert len(colours_of(image)) <= 256
    np.testing.assert_array_equal(found[:4000], pixels[:4000])
    assert np.abs(found[4000:, :64] - pixels[4000:, :64].astype(int)).max() <= 60


def test_a_colour_bar_does_not_fall_into_bands():
    pixels = on_one_canvas(stripes(300), blend())
    image = with_palette(pixels)
    assert image.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(image), pixels)


def test_a_figure_gives_the_same_bytes_twice():
    def drawn():
        fig, ax = figure(width=4, height=3)
        ax.plot([0, 1], [0, 1], color=BLUE)
        return png(fig)

    first = drawn()
    assert first == drawn()
    image = Image.open(io.BytesIO(first))
    assert image.size == (4 * DPI, 3 * DPI)
    assert [0, 114, 178] in colours_of(image).tolist()


def test_a_wide_figure_has_no_more_pixels_than_a_page_shows():
    fig, _ = figure(width=14, height=7)
    assert Image.open(io.BytesIO(png(fig))).size == (MAX_PIXELS, MAX_PIXELS // 2)


def test_no_figure_of_the_notes_is_cut_off():
    edges = {}
    for path in sorted((ROOT / "results").glob("*/*.png")):
        with Image.open(path) as image:
            grey = np.asarray(image.convert("L"))
        edges[f"{path.parent.name}/{path.name}"] = min(
            side.min() for side in (grey[0], grey[-1], grey[:, 0], grey[:, -1])
        )
    assert edges
    assert [name for name, darkest in edges.items() if darkest < LIGHT] == []
