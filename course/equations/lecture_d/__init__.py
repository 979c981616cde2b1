"""Checks of the formulas of lecture D."""
