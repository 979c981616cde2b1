"""Experiments of the notes: each takes data and settings and returns plain arrays; the notebooks plot them."""
