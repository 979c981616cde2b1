"""The map of the course."""

from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch
from matplotlib.path import Path

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION, Picture, figure
from course.outline import Note, notes
from course.outline.paths import CoursePath, hours, paths
from course.studies.course_map.tracks import LANES, Point, tracks

__all__ = ["places", "the_map"]

PARTS = {
    "Foundations": BLUE,
    "Naive Bayes": VERMILLION,
    "Normal classes": GREEN,
    "Linear models": ORANGE,
    "Optimisation": PURPLE,
    "Generative v. discriminative": SKY,
    "Behind the scenes": GREY,
    "Reference": BLACK,
}
DARK = {BLUE, VERMILLION, GREEN, GREY}  # colours on which white letters can be read
# Tracks to notes on generative and on discriminative models.
ROADS = {"Naive Bayes": BLUE, "Normal classes": BLUE, "Linear models": ORANGE, "Optimisation": ORANGE}
TRACK, BAND, TEXT = "#8C8C8C", "#F4F4F4", 9.5
# Inches from the left: names of the parts, the first lane, numbers and titles, the first path.
PART_X, LANE_X, TITLE_X, PATH_X, WIDTH = 0.09, 1.58, 3.55, 6.75, 9.03
LANE, ROW, GAP, PATH_STEP, RADIUS, BEND = 0.25, 0.29, 0.09, 0.4, 0.118, 0.08
TOP, BOTTOM = 1.42, 0.34  # inches above the first row and below the last one


def the_map() -> Picture:
    """The notes in reading order, from top to bottom: what stands on what to the left, the paths to the right."""
    course = notes()
    height = _full_height(course)
    fig, ax = figure(width=WIDTH, height=height)
    fig.set_layout_engine("none")
    ax.set_position((0, 0, 1, 1))
    ax.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="equal")
    ax.axis("off")
    y = _rows(list(course.values()))
    _bands(ax, course, y)
    _tracks(ax, course, list(y.values()))
    for name, note in course.items():
        _station(ax, note, LANE_X + LANE * LANES[name[:2]], y[name])
    for number, path in enumerate(paths().values()):
        _path(ax, path, PATH_X + PATH_STEP * number, y)
    _legend(ax, y)
    return Picture(fig, "map", _alt())


def places() -> dict[str, tuple[float, float, float, float]]:
    """Where the map has the title of each note: left, top, width and height, as shares of the picture."""
    course = notes()
    height = _full_height(course)
    left, width = TITLE_X / WIDTH, (PATH_X - 0.3 - TITLE_X) / WIDTH
    return {
        name: (left, (y - ROW / 2) / height, width, ROW / height) for name, y in _rows(list(course.values())).items()
    }


def _full_height(course: dict[str, Note]) -> float:
    return TOP + BOTTOM + ROW * len(course) + GAP * (len(PARTS) - 1)


def _rows(course: list[Note]) -> dict[str, float]:
    """The height of each note, in inches from the top: parts stand apart."""
    parts = list(dict.fromkeys(note.part for note in course))
    return {note.name: TOP + ROW * (row + 0.5) + GAP * parts.index(note.part) for row, note in enumerate(course)}


def _bands(ax: Axes, course: dict[str, Note], y: dict[str, float]) -> None:
    for part, group in groupby(course.values(), key=lambda note: note.part):
        rows = [y[note.name] for note in group]
        low, high = rows[0] - ROW / 2 - 0.02, rows[-1] + ROW / 2 + 0.02
        box = FancyBboxPatch(
            (0.02, low), WIDTH - 0.04, high - low, boxstyle="round,pad=0,rounding_size=0.06", linewidth=0, color=BAND
        )
        ax.add_patch(box)
        ax.plot([0.03, 0.03], [low + 0.04, high - 0.04], color=PARTS[part], linewidth=3.5, solid_capstyle="butt")
        words = part.replace(" v. ", " v.\n") if len(rows) > 1 else part
        ax.text(PART_X, rows[0] if len(rows) == 1 else sum(rows) / len(rows), words, va="center", fontsize=TEXT)


def _tracks(ax: Axes, course: dict[str, Note], heights: list[float]) -> None:
    for (_, end), corners in tracks(course).items():
        points = [(LANE_X + LANE * lane, _height(row, heights)) for lane, row in corners]
        road = ROADS.get(course[end].part, TRACK)
        ax.add_patch(PathPatch(_rounded(points), facecolor="none", linewidth=2, zorder=2, edgecolor=road))


def _height(row: float, heights: list[float]) -> float:
    low = int(row)
    return heights[low] if low == row else (heights[low] + heights[low + 1]) / 2


def _rounded(points: list[Point]) -> Path:
    """A path through points along the axes, its corners cut by quarter turns."""
    vertices, codes = [points[0]], [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(corner, before), corner, _towards(corner, after)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def _towards(corner: Point, other: Point) -> Point:
    """The point at the distance of a bend from the corner."""
    length = abs(other[0] - corner[0]) + abs(other[1] - corner[1])
    share = min(BEND, length / 2) / length
    return corner[0] + share * (other[0] - corner[0]), corner[1] + share * (other[1] - corner[1])


def _station(ax: Axes, note: Note, x: float, y: float) -> None:
    core = note.level == "core"
    _disc(ax, x, y, PARTS[note.part], core, note.name[:2])
    ax.text(TITLE_X, y, note.name[:2], va="center", fontsize=TEXT, color=GREY)
    ax.text(TITLE_X + 0.28, y, note.title, va="center", fontsize=TEXT, fontweight="bold" if core else "normal")


def _disc(ax: Axes, x: float, y: float, color: str, core: bool, number: str) -> None:
    ax.add_patch(Circle((x, y), RADIUS, facecolor=color if core else "white", edgecolor=color, linewidth=1.6, zorder=3))
    ink = "white" if core and color in DARK else BLACK
    ax.text(x, y + 0.005, number, ha="center", va="center", fontsize=7.2, fontweight="bold", color=ink, zorder=4)


def _path(ax: Axes, path: CoursePath, x: float, y: dict[str, float]) -> None:
    heights = [y[name] for name in path.notes]
    ax.plot([x, x], [min(heights), max(heights)], color="#BDBDBD", linewidth=1.2, zorder=2)
    ax.plot([x] * len(heights), heights, "o", color=BLACK, markersize=5.5, zorder=3)
    ax.text(x + 0.03, TOP - 0.09, path.label, rotation=65, rotation_mode="anchor", fontsize=9, fontweight="bold")
    long = hours(path.minutes).rstrip("s").replace("hour", "h").replace("minute", "min")
    ax.text(x, max(y.values()) + ROW / 2 + 0.17, long, ha="center", va="center", fontsize=8.5)


def _legend(ax: Axes, y: dict[str, float]) -> None:
    ax.text(PART_X, 0.2, "Two roads meet at logistic regression", fontsize=12.5, fontweight="bold", va="center")
    _disc(ax, PART_X + RADIUS, 0.53, GREY, core=True, number="")
    ax.text(PART_X + 0.36, 0.53, "core", va="center", fontsize=9)
    _disc(ax, PART_X + 0.95, 0.53, GREY, core=False, number="")
    ax.text(PART_X + 1.19, 0.53, "further", va="center", fontsize=9)
    ax.plot([1.95, 2.25], [0.53, 0.53], color=TRACK, linewidth=1.7)
    ax.text(2.33, 0.53, "leads to", va="center", fontsize=9)
    ax.text(TITLE_X, TOP - 0.13, "read from top to bottom ↓", fontsize=9, color=GREY, va="center")
    ax.text(
        PATH_X - 0.3, max(y.values()) + ROW / 2 + 0.17, "to read", ha="right", va="center", fontsize=8.5, color=GREY
    )
    roads = (("generative", 3.52, ("22", "23"), BLUE), ("discriminative", 6.48, ("23", "24"), "#8A5A00"))
    for words, lane, rows, ink in roads:
        middle = sum(height for name, height in y.items() if name[:2] in rows) / len(rows)
        x = LANE_X + LANE * lane
        ax.text(x, middle, words, rotation=90, ha="center", va="center", fontsize=8.5, color=ink, style="italic")


def _alt() -> str:
    parts = [
        f"{part}, {', '.join(note.name[:2] for note in group)}"
        for part, group in groupby(notes().values(), key=lambda note: note.part)
    ]
    times = "; ".join(f"{path.title}, {hours(path.minutes)}" for path in paths().values())
    return (
        f"The {len(notes())} notes in reading order from top to bottom, in bands by part: {'; '.join(parts)}. Tracks "
        "lead from each note down to those that need it. One road, the generative one, goes by naive Bayes and "
        "Gaussian discriminant analysis, another, the discriminative one, from the foundations by linear regression; "
        "they meet at logistic regression, note 43. From there tracks fan out to softmax, perceptron, solvers, and the "
        "comparisons of both roads. Filled discs are core "
        f"notes, open ones further notes. On the right, dots show which notes each of {len(paths())} paths visits, and "
        f"how long it takes to read them: {times}."
    )
