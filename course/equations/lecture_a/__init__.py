"""Checks of the formulas of lecture A."""
