"""The house style of the figures, and figures as reproducible bytes."""

import io
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import KDTree

# Okabe and Ito's palette: told apart by readers with any of the common colour deficiencies, and in grey print.
BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, YELLOW, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#222222",
)
GREY = "#6E6E6E"
SEQUENTIAL = "Blues"  # one hue, from white: legible in print, and the same to all readers
DPI = 132
MAX_PIXELS = 1320  # from left to right: pages and slides show no more of a wide figure
PALETTES = (256, 128, 64)  # numbers of colours: the first that makes a file small enough
SMALL = 15_000  # bytes of a file
MIN_BLENDS = 32  # colours of the palette that the edges of letters and lines need
AREA = 40  # pixels with a left neighbour of the same colour: with as many, a colour is that of an area

_STYLE = {
    "figure.figsize": (7.2, 4.2),
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same letters
    "font.size": 11,
    "axes.titlesize": 12.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": mpl.cycler(color=[BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY]),
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 5.5,
    "legend.frameon": False,
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "xtick.labelcolor": BLACK,
    "ytick.labelcolor": BLACK,
}


@dataclass(frozen=True)
class Picture:
    """A figure of a note, as the functions of course/studies return it.

    name : of its file, in lower case with hyphens
    alt : what it shows, for those who cannot see it
    """

    fig: Figure
    name: str
    alt: str


def figure(rows: int = 1, columns: int = 1, *, width: float = 7.2, height: float = 4.2, **options: object) -> tuple:
    """A figure in the house style and its axes, as `matplotlib.pyplot.subplots` gives them.

    The style is set before the figure is made and is taken from matplotlib's defaults, not from the user's settings.
    The figure is not known to pyplot, so that a notebook shows it once, where it is recorded.
    """
    mpl.rcdefaults()
    mpl.rcParams.update(_STYLE)
    fig = Figure(figsize=(width, height))
    return fig, fig.subplots(rows, columns, **options)


def label_lines(ax: Axes, *, at: dict[str, float] | None = None, pad: float = 6, size: float = 10) -> None:
    """Write the name of each line at its right end, in its colour, in place of a legend.

    at : y positions (in data units) for labels that would otherwise lie on each other.
    """
    at = at or {}
    for line in ax.get_lines():
        name = line.get_label()
        if not name.startswith("_"):
            x, y = line.get_xdata()[-1], line.get_ydata()[-1]
            ax.annotate(
                name,
                (x, at.get(name, y)),
                xytext=(pad, 0),
                textcoords="offset points",
                va="center",
                color=line.get_color(),
                fontsize=size,
                fontweight="bold",
                annotation_clip=False,
            )


def png(fig: Figure) -> bytes:
    """The figure as PNG: the same bytes for the same figure, on every run."""
    canvas = FigureCanvasAgg(fig)
    fig.set_dpi(min(DPI, MAX_PIXELS / fig.get_figwidth()))
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]
    smallest = b""
    for colours in PALETTES:
        buffer = io.BytesIO()
        with_palette(pixels, colours).save(buffer, format="PNG", optimize=True)
        smallest = min(smallest or buffer.getvalue(), buffer.getvalue(), key=len)
        if len(smallest) <= SMALL:
            break
    return smallest


def with_palette(pixels: NDArray[np.uint8], size: int = PALETTES[0]) -> Image.Image:
    """An image of `size` colours: with 256, a third of one of 24 bits. pixels : red, green and blue, shape (h, w, 3).

    Areas keep their colours. All other colours blend the edges of letters and lines into their ground; these share what
    is left of the palette. Where areas alone have too many colours, as in a colour bar, the image keeps 24 bits.
    """
    colours, where, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette, where = colours, where.reshape(pixels.shape[:2])
    if len(colours) > size:
        same_as_left = where[:, 1:] == where[:, :-1]
        is_area = np.bincount(where[:, 1:][same_as_left], minlength=len(colours)) >= AREA
        blends = size - np.count_nonzero(is_area)
        if blends < MIN_BLENDS:
            return Image.fromarray(pixels)
        edges = np.repeat(colours[~is_area], np.minimum(counts[~is_area], 50), axis=0)
        shared = Image.fromarray(edges[None]).quantize(blends, dither=Image.Dither.NONE).getpalette()
        palette = np.vstack([colours[is_area], np.array(shared, dtype=np.uint8).reshape(-1, 3)])
    nearest = KDTree(palette.astype(float)).query(colours.astype(float))[1].astype(np.uint8)
    image = Image.fromarray(nearest[where])
    image.putpalette(palette.tobytes())
    return image
