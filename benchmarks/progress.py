"""What is going on, on the terminal."""

import sys


def say(text: str, *, passing: bool = False) -> None:
    """Print a line to standard error. A passing one is overwritten by the next, and left out where that cannot be."""
    terminal = sys.stderr.isatty()
    if terminal or not passing:
        start, end = ("\r\033[K", "\r" if passing else "\n") if terminal else ("", "\n")
        print(start + text, end=end, file=sys.stderr, flush=True)
