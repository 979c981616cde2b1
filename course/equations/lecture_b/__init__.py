"""Checks of the formulas of lecture B."""
