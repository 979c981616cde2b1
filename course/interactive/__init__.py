"""Figures that a reader moves: hand-written ES modules, and what puts them into a note.

framework/ : scales, contours, charts, controls and the frame around a figure
figures/ : a module each, which exports `model(state)`, its numbers, and `build(host)`, what is seen of them
"""

from course.interactive.bundle import html, names, script

__all__ = ["html", "names", "script"]
